import type { IncomingMessage } from 'node:http';
import { textUpTo } from '../../lib/textUpTo.ts';

/** Why a transport could not be opened. */
export class DialError extends Error {
  override readonly name = 'DialError';
  /** HTTP status of the answer. */
  readonly status: number | undefined;
  /** The API server itself has spoken, or cannot be reached: another transport cannot help. */
  readonly final: boolean;

  constructor(message: string, options: { status?: number; final?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.final = options.final ?? false;
  }
}

/** Statuses that the API server decides on: login, rights, no such pod. */
const FINAL = [401, 403, 404, 410];
const MOST_BODY = 1 << 16;

/**
 * What an answer that is no upgrade means. The API server answers with a `Status` object; anything else may be the doing
 * of something in between.
 */
export async function refusalOf(response: IncomingMessage): Promise<DialError> {
  const status = response.statusCode ?? 0;
  const body = await textUpTo(response, MOST_BODY);
  const words = statusMessage(body);
  if (words === undefined) return new DialError(`HTTP ${status} ${textOfPage(body)}`.trim(), { status });
  return new DialError(words || `HTTP ${status}`, { status, final: FINAL.includes(status) });
}

function statusMessage(body: string): string | undefined {
  try {
    const status = JSON.parse(body) as { kind?: unknown; message?: unknown } | null;
    if (status?.kind !== 'Status') return undefined;
    return typeof status.message === 'string' ? status.message : '';
  } catch {
    return undefined;
  }
}

const textOfPage = (body: string): string =>
  body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);

import type { IncomingMessage } from 'node:http';
import { oneLine } from '../../lib/plainText.ts';
import { ApiError } from '../access.ts';
import { isMapping, textAt } from '../../lib/mapping.ts';

/** A Status is far smaller; beyond it something else answers. */
const MOST_BYTES = 64 * 1024;
const MOST_TEXT = 1_000;
/** A body that does not end is not waited for; the status code says enough. */
const READ_LIMIT_MS = 5_000;
/** Longest `Retry-After` that is believed. */
const MOST_RETRY_MS = 10 * 60_000;

/** An answer that was not what the caller wanted, in the server's own words; reads and ends the response. */
export async function apiErrorOf(response: IncomingMessage): Promise<ApiError> {
  const status = response.statusCode ?? 0;
  const { message, reason } = statusOf(await readText(response));
  const retryAfterMs = retryAfter(response.headers['retry-after']);
  return new ApiError(status, message || oneLine(response.statusMessage ?? '', MOST_TEXT) || `HTTP ${status}`, {
    ...(reason ? { reason } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/**
 * Message and reason of a Kubernetes Status object (apimachinery `pkg/apis/meta/v1`); of anything else the text itself,
 * without the tags of a web page.
 */
export function statusOf(body: string): { message: string; reason?: string } {
  const status = parse(body);
  if (!isMapping(status)) return { message: oneLine(plainText(body), MOST_TEXT) };
  const [message = '', reason] = [textAt(status, 'message'), textAt(status, 'reason')];
  return { message: oneLine(message, MOST_TEXT), ...(reason ? { reason: oneLine(reason, 100) } : {}) };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const plainText = (body: string) =>
  /^\s*</.test(body)
    ? body
        .replace(/<(style|script|head)\b.*?<\/\1>|<[^>]*>/gis, ' ')
        .replace(/\s+/g, ' ')
        .trim()
    : body.trim();

function retryAfter(header: string | undefined): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(MOST_RETRY_MS, Math.max(0, ms));
}

function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise(resolve => {
    const timer = setTimeout(() => response.destroy(), READ_LIMIT_MS);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if ((bytes += chunk.length) > MOST_BYTES) response.destroy();
    });
    response.on('error', () => undefined); // what came before it is still worth reading
    response.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8', 0, MOST_BYTES));
    });
  });
}

import { textUpTo } from '../../lib/textUpTo.ts';
import type { Container } from '../../core/model.ts';
import type { KubeApi } from '../access.ts';

/** A stack can stand below the line that is looked for. */
const LINES = 50;
const BYTES = 16_384;

/**
 * The last line that a crashed container printed; `undefined` when it printed none. Needs the right to get pods/log.
 * Throws `ApiError`, or the connection's error.
 */
export async function lastLineOf(
  api: KubeApi,
  { namespace, pod, container, phase }: Container,
  signal: AbortSignal,
): Promise<string | undefined> {
  const query = new URLSearchParams({
    container,
    tailLines: String(LINES),
    limitBytes: String(BYTES),
    // While it is shown as terminated, "previous" is the run before that one.
    ...(phase.kind === 'terminated' ? {} : { previous: 'true' }),
  });
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log?${query.toString()}`;
  const text = await textUpTo(await api.get(path, signal), BYTES);
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '');
  return lines.findLast(line => goPanic.test(line)) ?? lines.findLast(line => !isFrame(line)) ?? lines.at(-1);
}

/** Go says this first, and then what each goroutine did. */
const goPanic = /^(panic|fatal error): /;

/** A part of a stack; or the version of Node, which it says last. */
const isFrame = (line: string): boolean => /^\s+(at |\.\.\. \d+ more)|^Node\.js v\d/.test(line);

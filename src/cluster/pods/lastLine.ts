import { textUpTo } from '../../lib/textUpTo.ts';
import type { Container } from '../../core/model.ts';
import type { KubeApi } from '../access.ts';

const LINES = 10;
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
  return text.split(/\r?\n/).findLast(line => line.trim() !== '' && !isSignature(line));
}

/** Node ends its report of an error with its version. */
const isSignature = (line: string): boolean => /^Node\.js v\d/.test(line);

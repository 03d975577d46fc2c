import { connect } from 'node:net';
import { once } from 'node:events';
import { sleep } from '../../lib/backoff.ts';
import { answers, type ContainerRun } from './containerRun.ts';
import type { AddressOf, LivenessProbe } from './template.ts';

/**
 * Asks a run as its liveness probe says, until the run is over or the probe has failed so often that the kubelet ends it.
 * Resolves with whether it did; `onFailure` gets the kubelet's words for each failure (kubernetes `pkg/kubelet/prober`).
 */
export async function failsLiveness(
  run: ContainerRun,
  probe: LivenessProbe,
  onFailure: (message: string) => void,
): Promise<boolean> {
  let failures = 0;
  for (;;) {
    await sleep(probe.periodSeconds * 1000, run.over);
    if (run.over.aborted) return false;
    if (!run.ready) continue;
    const failure = await failureOf(run, probe);
    if (run.over.aborted) return false;
    failures = failure === undefined ? 0 : failures + 1;
    if (failure !== undefined) onFailure(`Liveness probe failed: ${failure}`);
    if (failures >= probe.failureThreshold) return true;
  }
}

/** Why the probe has failed; undefined when it has not. */
async function failureOf(run: ContainerRun, { timeoutSeconds, ...how }: LivenessProbe): Promise<string | undefined> {
  const limitMs = timeoutSeconds * 1000;
  const at: AddressOf = port => `127.0.0.1:${run.ports.get(port) ?? port}`;
  if ('exec' in how) return execFailure(run, how.exec(at), limitMs);
  const limit = AbortSignal.any([run.over, AbortSignal.timeout(limitMs)]);
  if ('http' in how) {
    const url = `http://${at(how.http.port)}${how.http.path}`;
    const isWell = await answers(run.ports.get(how.http.port)!, how.http.path, limit);
    return isWell
      ? undefined
      : `Get "${url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
  }
  return tcpFailure(run.ports.get(how.tcp.port)!, limit);
}

async function execFailure(
  run: ContainerRun,
  command: readonly string[],
  limitMs: number,
): Promise<string | undefined> {
  const guest = run.exec(command, false);
  let output = '';
  for (const stream of [guest.child.stdout, guest.child.stderr])
    stream?.setEncoding('utf8').on('data', text => (output += String(text)));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    guest.kill('SIGKILL');
  }, limitMs);
  const { code, failure } = await guest.exited;
  clearTimeout(timer);
  if (isLate) return `command timed out: "${command.join(' ')}" timed out after ${limitMs / 1000}s`;
  return code === 0 ? undefined : (failure ?? output.trim());
}

async function tcpFailure(port: number, signal: AbortSignal): Promise<string | undefined> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect', { signal });
    return undefined;
  } catch {
    return `dial tcp 127.0.0.1:${port}: connect: connection refused`;
  } finally {
    socket.destroy();
  }
}

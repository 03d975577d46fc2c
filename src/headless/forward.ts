import { openForwards } from '../cluster/forward/openForwards.ts';
import type { PodRef } from '../core/contracts.ts';
import { rawText, UserError } from '../core/errors.ts';
import { followId } from '../core/identity.ts';
import { aborted } from '../lib/abortable.ts';
import { connect, type Connection, runningTime } from './connect.ts';
import { parse, portOf, required } from './options.ts';
import type { Output } from './output.ts';
import { onlyNamespace } from './pods.ts';

/** `forward --pod P --port N [--local L]`: a local port that leads to a port of a pod, until the time is over. */
export async function forwardCommand(args: readonly string[], output: Output, signal: AbortSignal): Promise<void> {
  const parsed = parse(args, ['pod', 'port', 'local']);
  const name = required(parsed, 'pod');
  const port = portOf('port', required(parsed, 'port'));
  const { local } = parsed.own;
  const wish: { localPort?: number } = local === undefined ? {} : { localPort: portOf('local', local) };
  const until = runningTime(signal, parsed.common);
  const connection = await connect(parsed.common);
  const pod = podRef(connection, name);
  const follow = followId({ ...pod, container: '' }, `Pod/${name}`);
  const forwards = openForwards({ accessOf: () => connection.access, log: text => output.say(text) });
  try {
    const forward = await forwards.open({ pod, port, follow, ...wish }, until);
    if (wish.localPort !== undefined && forward.localPort !== wish.localPort) throw localPortTaken(wish.localPort);
    forward.onProblem(error => output.data({ error: rawText(error) }));
    output.data({ local: forward.localPort });
    output.data({ transport: forward.transport });
    await aborted(until);
  } finally {
    forwards.dispose();
  }
}

/** Whoever names a port counts on it. */
const localPortTaken = (port: number) =>
  new UserError('local-port-taken', `The local port ${port} cannot be used.`, {
    remedy: 'Choose another --local, or leave it out: a free port is then found.',
  });

/** By name alone: reading the pod would need one more right than forwarding does. */
const podRef = ({ access, namespaces }: Connection, pod: string): PodRef => ({
  cluster: access.cluster,
  namespace: onlyNamespace(namespaces),
  pod,
  podUid: '',
});

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A port of a pod that answers GET /N with N MiB and a POST with anything. */
export interface ForwardBenchTarget {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

/** A running forward: its process, and the local port. */
export interface RunningForward {
  readonly child: ChildProcess;
  readonly port: number;
}

/** A program that forwards one port over one transport. */
export interface Way {
  readonly title: string;
  /** Title of the way that it is compared with. */
  readonly base: string;
  start(target: ForwardBenchTarget): Promise<RunningForward>;
}

/** Programs to run. */
export interface Programs {
  /** `forwardMode.ts`, bundled. */
  readonly bundle: string;
  /** A kubectl to measure; none when absent. */
  readonly kubectl?: string;
}

const OVER_WEBSOCKET = 'kubectl (WebSocket)';
const OVER_SPDY = 'kubectl (SPDY)';

/** kubectl's ways first, then ours: each is compared with kubectl over the same transport. v4 has no counterpart. */
export const waysOf = ({ kubectl, bundle }: Programs): readonly Way[] => [
  ...(kubectl
    ? [
        { title: OVER_WEBSOCKET, base: OVER_WEBSOCKET, start: startKubectl(kubectl, 'true') },
        { title: OVER_SPDY, base: OVER_SPDY, start: startKubectl(kubectl, 'false') },
      ]
    : []),
  { title: 'Breakpod, SPDY', base: OVER_SPDY, start: startProgram(bundle, 'spdy') },
  { title: 'Breakpod, SPDY in a WebSocket', base: OVER_WEBSOCKET, start: startProgram(bundle, 'tunnel') },
  { title: 'Breakpod, v4', base: OVER_WEBSOCKET, start: startProgram(bundle, 'v4') },
];

/** The library of the Kubernetes project for JavaScript. */
export const clientNode: Way = {
  title: 'client-node PortForward',
  base: OVER_WEBSOCKET,
  start: startProgram(fileURLToPath(new URL('forwardClientNode.ts', import.meta.url))),
};

/** Runs `use` with a forward, and ends it. Throws what `use` throws, with the way's name. */
export async function withForward<T>(
  way: Way,
  target: ForwardBenchTarget,
  use: (forward: RunningForward) => Promise<T>,
): Promise<T> {
  const forward = await way.start(target);
  const exited = once(forward.child, 'exit');
  try {
    return await use(forward);
  } catch (error) {
    throw new Error(`${way.title} failed`, { cause: error });
  } finally {
    forward.child.kill();
    await exited;
  }
}

function startKubectl(kubectl: string, webSockets: string): Way['start'] {
  return async ({ kubeconfig, namespace, pod, port }) => {
    const args = ['--kubeconfig', kubeconfig, '-n', namespace, 'port-forward', `pod/${pod}`, `:${port}`];
    const child = spawn(kubectl, args, {
      env: { ...process.env, KUBECTL_PORT_FORWARD_WEBSOCKETS: webSockets },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const local = await new Promise<number>((resolve, reject) => {
      const take = (chunk: Buffer) => {
        said += chunk.toString();
        const found = /127\.0\.0\.1:(\d+) ->/.exec(said)?.[1];
        if (found) resolve(Number(found));
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.on('exit', () => reject(new Error(`kubectl: ${said}`)));
    });
    return { child, port: local };
  };
}

function startProgram(program: string, ...args: readonly string[]): Way['start'] {
  return async ({ kubeconfig, namespace, pod, port }) => {
    const child = fork(program, [...args, kubeconfig, namespace, pod, String(port)]);
    const [local] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('it ended before it listened'))),
    ])) as [number];
    return { child, port: local };
  };
}

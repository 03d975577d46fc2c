// A pod that sends back what it is sent, and a client that checks it.
import { connect, type Socket } from 'node:net';
import { kubectl, kubectlJson } from '../cluster/kubectl.ts';
import type { Cluster } from '../cluster/state.ts';

/** The pod, and the port that echoes. Its inspector listens on 9229. */
export const echo = { pod: 'echo', container: 'web', port: 7000 };

const script =
  `require('node:net').createServer(socket => socket.on('error', () => {}).pipe(socket)).listen(${echo.port});` +
  `process.on('SIGTERM', () => process.exit(0));`;

/** Makes the pod in `shop` and waits until it runs. */
export async function startEcho(cluster: Cluster): Promise<void> {
  const command = ['node', '--inspect=0.0.0.0:9229', '-e', script];
  const container = { name: echo.container, image: 'breakpod.test/node:1', command };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: echo.pod, namespace: 'shop' },
    spec: { terminationGracePeriodSeconds: 1, containers: [container] },
  };
  await kubectl(cluster, ['apply', '-f', '-'], { input: JSON.stringify(pod) });
  await kubectl(cluster, ['wait', `pod/${echo.pod}`, '-n', 'shop', '--for=condition=Ready', '--timeout=60s']);
}

/** What nothing that a debugger does may change: that container's id, and how often it was restarted. */
export async function lifeOfEcho(cluster: Cluster): Promise<readonly [id: string | undefined, restarts: number]> {
  const { status } = await kubectlJson(cluster, ['get', 'pod', echo.pod, '-n', 'shop']);
  const { containerID, restartCount } = status.containerStatuses![0]!;
  return [containerID, restartCount];
}

/** A prime, so that no shift by a power of two goes unnoticed. */
const PERIOD = 65_521;
const pattern = Buffer.from(Array.from({ length: PERIOD }, (_, i) => (i * 7 + (i >> 8) * 13) & 255));
const twice = Buffer.concat([pattern, pattern]);

const PIECE = 8 << 10;
const MOST_UNDER_WAY = 256 << 10;

/** A connection to a local port that leads to the echo: bytes flow both ways until it ends. */
export class EchoFlow {
  received = 0;
  /** Where what came back was not what had been sent. */
  wrongAt: number | undefined;
  isOpen = true;
  private sent = 0;
  private readonly socket: Socket;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    const timer = setInterval(() => this.send(), 10);
    this.socket.on('data', (chunk: Buffer) => this.check(chunk));
    this.socket.on('error', () => undefined); // its close tells
    this.socket.on('close', () => {
      clearInterval(timer);
      this.isOpen = false;
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private send(): void {
    if (this.socket.writableLength > 0 || this.sent - this.received > MOST_UNDER_WAY) return;
    const start = this.sent % PERIOD;
    this.socket.write(twice.subarray(start, start + PIECE));
    this.sent += PIECE;
  }

  private check(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += PERIOD) {
      const piece = chunk.subarray(at, at + PERIOD);
      const start = (this.received + at) % PERIOD;
      if (!piece.equals(twice.subarray(start, start + piece.length))) this.wrongAt ??= this.received + at;
    }
    this.received += chunk.length;
  }
}

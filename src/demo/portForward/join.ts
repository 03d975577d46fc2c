import net, { type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ForwardPod } from './pod.ts';
import { failedText, namespaceClosedText, refusedText, resetText } from './texts.ts';

/** containerd ends both directions so long after either has ended (`pkg/cri/sbserver/sandbox_portforward_linux.go`). */
const END_MS = 1000;

/**
 * Joins one connection of a client with what listens behind a port of the pod, as containerd does: without half close.
 * `finish` is called once, with a text when something failed; nothing is read from or written to `client` after that.
 */
export function joinTarget(pod: ForwardPod, port: number, client: Duplex, finish: (text?: string) => void): void {
  const at = { sandbox: pod.sandbox, port };
  if (pod.gone.aborted) return finish(namespaceClosedText(at));
  const target = pod.find(port);
  if (!target) return finish(refusedText(at));
  const socket = net.connect({ ...target, allowHalfOpen: true, noDelay: true });
  const joined = new Joined(socket, client, pod.gone, finish);
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (socket.connecting || error.syscall === 'connect') joined.end(refusedText(at));
    else joined.end(error.code === 'ECONNRESET' ? resetText(at) : failedText(at, error.message));
  });
}

class Joined {
  private readonly socket: Socket;
  private readonly client: Duplex;
  private readonly gone: AbortSignal;
  private readonly finish: (text?: string) => void;
  private readonly ended = new Set<Duplex>();
  private timer: NodeJS.Timeout | undefined;
  private finished = false;
  private readonly onGone = () => this.sideEnded(this.socket);

  constructor(socket: Socket, client: Duplex, gone: AbortSignal, finish: (text?: string) => void) {
    this.socket = socket;
    this.client = client;
    this.gone = gone;
    this.finish = finish;
    gone.addEventListener('abort', this.onGone);
    for (const side of [socket, client]) {
      side.on('end', () => this.sideEnded(side));
      side.on('close', () => this.sideEnded(side));
    }
    client.on('error', () => this.sideEnded(client));
    client.pipe(socket, { end: false });
    socket.pipe(client, { end: false });
  }

  /** Ends both sides now. */
  end(text?: string): void {
    if (this.finished) return;
    this.finished = true;
    clearTimeout(this.timer);
    this.gone.removeEventListener('abort', this.onGone);
    this.client.unpipe(this.socket);
    this.socket.unpipe(this.client);
    this.client.resume(); // what the client still sends leads nowhere and must not stop its session
    this.socket.destroy();
    this.finish(text);
  }

  private sideEnded(side: Duplex): void {
    this.ended.add(side);
    if (this.ended.size === 2) return this.end();
    this.timer ??= setTimeout(() => this.end(), END_MS);
  }
}

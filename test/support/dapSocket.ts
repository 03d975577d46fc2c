import type { ChildProcess } from 'node:child_process';
import net from 'node:net';
import { Duplex } from 'node:stream';
import type { TestContext } from 'node:test';
import { type DapMessage, framed, readMessage } from '../../src/debuggers/readiness/dapMessages.ts';

/** Speaks the Debug Adapter Protocol, as VS Code does with a server or a program; closed at the test's end. */
export class DapSocket {
  private seq = 0;
  private readonly seen: DapMessage[] = [];
  private readonly socket: Duplex;
  private readonly limit = AbortSignal.timeout(60_000);

  private constructor(socket: Duplex) {
    this.socket = socket;
    socket.on('error', () => undefined); // whoever reads is told
  }

  static async to(t: TestContext, port: number): Promise<DapSocket> {
    const socket = net.connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    await new Promise(resolve => socket.once('connect', resolve));
    return new DapSocket(socket);
  }

  /** With an adapter on standard input and output. */
  static of({ stdin, stdout }: ChildProcess): DapSocket {
    return new DapSocket(Duplex.from({ writable: stdin!, readable: stdout! }));
  }

  send(command: string, args: object = {}): number {
    this.socket.write(framed({ seq: ++this.seq, type: 'request', command, arguments: args }));
    return this.seq;
  }

  /** Waits for a message, among those that have come already too; each is given once. */
  async until(fits: (message: DapMessage) => boolean): Promise<DapMessage> {
    for (;;) {
      const at = this.seen.findIndex(fits);
      if (at >= 0) return this.seen.splice(at, 1)[0]!;
      this.seen.push(await readMessage(this.socket, this.limit));
    }
  }

  event(name: string): Promise<DapMessage> {
    return this.until(({ type, event }) => type === 'event' && event === name);
  }

  /** Waits for the answer, which must be a yes. */
  async answer(seq: number): Promise<Readonly<Record<string, unknown>>> {
    const { success, message, body } = await this.until(
      ({ type, request_seq }) => type === 'response' && request_seq === seq,
    );
    if (success !== true) throw new Error(`request ${seq}: ${String(message)}`);
    return (body ?? {}) as Record<string, unknown>;
  }

  request(command: string, args: object = {}): Promise<Readonly<Record<string, unknown>>> {
    return this.answer(this.send(command, args));
  }

  close(): void {
    this.socket.destroy();
  }
}

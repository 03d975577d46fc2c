import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type * as vscode from 'vscode';
import type { ProbeEvent, ProbeReply } from './probeProtocol.ts';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** Runs code of a test inside the extension host of one window, and tells what its debug sessions did. */
export class Probe {
  private readonly path: string;
  private readonly waiting = new Map<number, Waiting>();
  private socket: Socket | undefined;
  private lastId = 0;

  /** Made before the window is opened: an older window on the same folder had its socket here. */
  constructor(path: string) {
    this.path = path;
    rmSync(path, { force: true });
  }

  /** Waits for the extension host of the window. Throws the last connection error after `limitMs`. */
  async connect(limitMs = 120_000): Promise<void> {
    const socket = await this.dial(Date.now() + limitMs);
    this.socket = socket;
    createInterface({ input: socket }).on('line', line => this.receive(JSON.parse(line) as ProbeReply));
    socket.on('error', () => undefined); // "close" follows
    socket.on('close', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('the extension host went away'));
      this.waiting.clear();
    });
  }

  close(): void {
    this.socket?.destroy();
  }

  /** Runs a function there; what it takes and gives must survive JSON, and it sees nothing of the test's scope. */
  run<A extends unknown[], T>(code: (api: typeof vscode, ...args: A) => T, ...args: A): Promise<Awaited<T>> {
    const socket = this.socket;
    if (!socket) throw new Error('the probe is not connected');
    const id = ++this.lastId;
    return new Promise<Awaited<T>>((resolve, reject) => {
      this.waiting.set(id, { resolve: value => resolve(value as Awaited<T>), reject });
      socket.write(`${JSON.stringify({ id, code: String(code), args })}\n`);
    });
  }

  /** Everything its debug sessions did until now. */
  events(): Promise<ProbeEvent[]> {
    return this.run(() => (globalThis as unknown as { probeEvents: ProbeEvent[] }).probeEvents);
  }

  /** Waits for something that a debug session does, or has done. `what` completes "did not see …". */
  async until(what: string, matches: (event: ProbeEvent) => boolean, limitMs = 60_000): Promise<ProbeEvent> {
    const end = Date.now() + limitMs;
    for (;;) {
      const events = await this.events();
      const found = events.find(matches);
      if (found) return found;
      if (Date.now() > end)
        throw new Error(`did not see ${what} in ${limitMs} ms; seen:\n${events.map(shortly).join('\n')}`);
      await delay(50);
    }
  }

  private async dial(end: number): Promise<Socket> {
    for (;;) {
      try {
        return await new Promise((resolve, reject) => {
          const socket = connect(this.path, () => resolve(socket)).once('error', reject);
        });
      } catch (error) {
        if (Date.now() > end) throw error;
        await delay(50);
      }
    }
  }

  private receive({ id, value, error }: ProbeReply): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(`in the extension host: ${error}`));
  }
}

/** A debugger's word that a breakpoint is bound to code. */
export const isVerified = (event: ProbeEvent): boolean => {
  if (event.kind !== 'fromAdapter') return false;
  const body: BreakpointBody | undefined = event.message.body;
  if (event.message.event === 'breakpoint') return body?.breakpoint?.verified === true;
  return event.message.command === 'setBreakpoints' && body?.breakpoints?.some(({ verified }) => verified) === true;
};

interface BreakpointBody {
  readonly breakpoint?: { readonly verified: boolean };
  readonly breakpoints?: readonly { readonly verified: boolean }[];
}

/** One event in a line, for a failure's message. */
function shortly(event: ProbeEvent): string {
  const detail =
    'message' in event ? (event.message.command ?? event.message.event) : 'error' in event ? event.error : '';
  return `  ${event.kind} ${event.session.type} "${event.session.name}" ${detail}`;
}

import type { TestContext } from 'node:test';
import type { DebugConfiguration, DebugSessions, SessionEnd } from '../../src/core/contracts.ts';
import { Emitter } from '../../src/lib/emitter.ts';
import { InspectorClient } from '../support/inspectorClient.ts';
import { JdwpClient } from '../support/jdwpClient.ts';

/** A debugger that has attached. */
interface Attached {
  /** What the debuggee has said of itself. */
  readonly said: string;
  /** Ends as a debugger does that lets the program go on. */
  detach(): Promise<void>;
  /** Stops the program at its next statement. */
  pause?(): Promise<unknown>;
}

/** Debug sessions without VS Code: clients that speak the debuggee's own protocol over the local port of a configuration. */
export class Debuggers implements DebugSessions {
  private readonly ended = new Emitter<SessionEnd>();
  readonly onDidEnd = this.ended.event;
  private readonly pauseChanged = new Emitter<{ sessionId: string; paused: boolean }>();
  readonly onDidPause = this.pauseChanged.event;
  private readonly attached = new Map<string, Attached>();
  private readonly leaving = new Set<string>();
  private readonly test: TestContext;

  constructor(test: TestContext) {
    this.test = test;
  }

  check(): void {
    // which extensions are installed is VS Code's matter
  }

  async start(configuration: DebugConfiguration, signal: AbortSignal): Promise<string> {
    const id = `session ${this.attached.size + 1}`;
    const over = () => this.ended.fire({ sessionId: id, isWanted: this.leaving.has(id) });
    this.attached.set(id, await this.attach(id, configuration, signal, over));
    return id;
  }

  async detach(id: string): Promise<void> {
    this.leaving.add(id);
    await this.attached.get(id)?.detach();
  }

  focus(): void {
    // there is no window
  }

  saidIn(id: string | undefined): string | undefined {
    return this.attached.get(id ?? '')?.said;
  }

  async pause(id: string): Promise<void> {
    await this.attached.get(id)?.pause?.();
  }

  private attach(
    id: string,
    { type, ...fields }: DebugConfiguration,
    signal: AbortSignal,
    over: () => void,
  ): Promise<Attached> {
    const port = Number(fields['port']);
    if (type === 'node') return this.inspector(id, port, signal, over);
    if (type === 'java') return this.jdwp(port, over);
    throw new Error(`there is no client for ${type}`);
  }

  /** Chrome DevTools protocol: the name of the pod, as the program itself knows it. */
  private async inspector(id: string, port: number, signal: AbortSignal, over: () => void): Promise<Attached> {
    const client = await InspectorClient.open('127.0.0.1', port, signal);
    this.test.after(() => client.close());
    client.onClose = over;
    client.onPause = paused => this.pauseChanged.fire({ sessionId: id, paused });
    const params = { expression: 'process.env.HOSTNAME', returnByValue: true };
    const { result } = (await client.ask('Runtime.evaluate', params)) as { result: { value: string } };
    const detach = async () => {
      client.close();
      await client.closed;
    };
    return { said: result.value, detach, pause: () => client.ask('Debugger.pause') };
  }

  /** Java Debug Wire Protocol: the version (VirtualMachine.Version), and at the end VirtualMachine.Dispose. */
  private async jdwp(port: number, over: () => void): Promise<Attached> {
    const client = await JdwpClient.connect(this.test, port);
    const { data } = await client.send(1, 1);
    const detach = async () => {
      await client.send(1, 6);
      over();
    };
    return { said: data.toString(), detach };
  }
}

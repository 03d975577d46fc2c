import { basename } from 'node:path';
import * as vscode from 'vscode';
import { Jdwp, type LoadedClass, suspend, type VmEvent } from './jdwp.ts';

/** The part of a request of the Debug Adapter Protocol that is read here. */
interface Request {
  readonly seq: number;
  readonly command: string;
  readonly arguments?: Arguments;
}

interface Arguments {
  readonly hostName?: string;
  readonly port?: number;
  readonly threadId?: number;
  readonly source?: { readonly path: string };
  readonly breakpoints?: readonly { readonly line: number }[];
}

/** Breakpoints of one source file: the lines that are wanted, and the JVM's requests for them. */
interface FileBreakpoints {
  readonly lines: readonly number[];
  readonly requests: number[];
}

/**
 * A debug adapter for `{ type: 'java', request: 'attach', hostName, port }`: breakpoints, threads, call stacks, continue,
 * pause. That a session starts proves that the configuration led to a JVM.
 */
export class JavaAdapter implements vscode.DebugAdapter {
  private readonly sent = new vscode.EventEmitter<vscode.DebugProtocolMessage>();
  readonly onDidSendMessage = this.sent.event;
  private readonly files = new Map<string, FileBreakpoints>();
  /** JDWP ids of threads; the debug adapter protocol has room for small numbers only. */
  private readonly threads: bigint[] = [];
  private connection: Jdwp | undefined;
  private seq = 0;

  private readonly handlers: Readonly<Record<string, (args: Arguments) => unknown>> = {
    initialize: () => ({ supportsConfigurationDoneRequest: true }),
    attach: args => this.attach(args),
    setBreakpoints: args => this.setBreakpoints(args),
    threads: () => this.listThreads(),
    stackTrace: args => this.stackTrace(args),
    scopes: () => ({ scopes: [] }),
    continue: async () => {
      await this.vm.resumeAll();
      return { allThreadsContinued: true };
    },
    pause: async ({ threadId }) => {
      await this.vm.suspendAll();
      this.event('stopped', { reason: 'pause', threadId, allThreadsStopped: true });
    },
    disconnect: () => this.connection?.dispose(),
  };

  handleMessage(message: vscode.DebugProtocolMessage): void {
    void this.answer(message as unknown as Request);
  }

  dispose(): void {
    this.sent.dispose();
  }

  private get vm(): Jdwp {
    if (!this.connection) throw new Error('not attached');
    return this.connection;
  }

  private async answer({ seq, command, arguments: args = {} }: Request): Promise<void> {
    const response = { type: 'response', request_seq: seq, command };
    try {
      this.send({ ...response, success: true, body: await this.handlers[command]?.(args) });
      if (command === 'attach') this.event('initialized');
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.send({
        ...response,
        success: false,
        message: text,
        body: { error: { id: 1, format: text, showUser: true } },
      });
    }
  }

  private send(message: object): void {
    this.sent.fire({ seq: ++this.seq, ...message });
  }

  private event(event: string, body?: object): void {
    this.send({ type: 'event', event, ...(body ? { body } : {}) });
  }

  private async attach({ hostName, port }: Arguments): Promise<void> {
    if (!hostName || !port) throw new Error('hostName and port are needed');
    const vm = await Jdwp.connect(hostName, port);
    this.connection = vm;
    vm.on('events', (policy, events) => void this.vmEvents(policy, events));
    vm.on('close', () => this.event('terminated'));
    this.event('output', { category: 'console', output: `Attached to a JVM ${await vm.version()}\n` });
  }

  private async setBreakpoints({ source, breakpoints = [] }: Arguments): Promise<unknown> {
    const path = source?.path ?? '';
    for (const request of this.files.get(path)?.requests ?? []) await this.vm.clearBreakpoint(request);
    const lines = breakpoints.map(({ line }) => line);
    this.files.set(path, { lines, requests: [] });
    await this.vm.watchClasses(basename(path));
    const bound = new Set<number>();
    for (const loaded of await this.classesOf(path)) for (const line of await this.bind(loaded, path)) bound.add(line);
    return { breakpoints: lines.map(line => ({ verified: bound.has(line), line })) };
  }

  /** Loaded classes whose name fits the file's; which of them come from it, the JVM says. */
  private async classesOf(path: string): Promise<LoadedClass[]> {
    const name = basename(path, '.java');
    return (await this.vm.classes()).filter(({ signature }) => {
      const [outermost] = signature.slice(1, -1).split('/').at(-1)!.split('$'); // Lshop/Orders$Item;
      return outermost === name;
    });
  }

  /** Sets the breakpoints of a file in one class; returns the lines that the class has. */
  private async bind({ tag, type }: LoadedClass, path: string): Promise<number[]> {
    const file = this.files.get(path);
    if (!file || (await this.vm.sourceFile(type)) !== basename(path)) return [];
    const bound: number[] = [];
    for (const { id } of await this.vm.methods(type)) {
      const table = await this.vm.lines(type, id);
      for (const wanted of file.lines) {
        const found = table.find(({ line }) => line === wanted);
        if (!found) continue;
        file.requests.push(await this.vm.setBreakpoint({ tag, type, method: id, index: found.index }));
        bound.push(wanted);
      }
    }
    return bound;
  }

  private async vmEvents(policy: number, events: readonly VmEvent[]): Promise<void> {
    for (const event of events) {
      if (event.kind === 'classPrepare') for (const path of this.files.keys()) await this.bind(event, path);
      if (event.kind !== 'breakpoint') continue;
      const threadId = this.numberOf(event.thread);
      return this.event('stopped', { reason: 'breakpoint', threadId, allThreadsStopped: true });
    }
    if (policy === suspend.all) await this.vm.resumeAll();
  }

  private numberOf(thread: bigint): number {
    if (!this.threads.includes(thread)) this.threads.push(thread);
    return this.threads.indexOf(thread) + 1;
  }

  private async listThreads(): Promise<unknown> {
    const all = await this.vm.threads();
    const named = all.map(async thread => ({ id: this.numberOf(thread), name: await this.vm.threadName(thread) }));
    return { threads: await Promise.all(named) };
  }

  private async stackTrace({ threadId = 0 }: Arguments): Promise<unknown> {
    const thread = this.threads[threadId - 1];
    const stackFrames: object[] = [];
    for (const { type, method, index } of thread === undefined ? [] : await this.vm.frames(thread)) {
      const name = await this.vm.sourceFile(type);
      const path = [...this.files.keys()].find(file => basename(file) === name);
      const table = await this.vm.lines(type, method);
      const passed = table.filter(entry => entry.index <= index).sort((a, b) => Number(a.index - b.index));
      const line = passed.at(-1)?.line ?? 0;
      const owner = (await this.vm.signature(type)).slice(1, -1).replaceAll('/', '.');
      const methodName = (await this.vm.methods(type)).find(({ id }) => id === method)?.name ?? '?';
      const place = path ? { source: { name, path } } : { presentationHint: 'subtle' };
      stackFrames.push({ id: stackFrames.length + 1, name: `${owner}.${methodName}`, line, column: 1, ...place });
    }
    return { stackFrames, totalFrames: stackFrames.length };
  }
}

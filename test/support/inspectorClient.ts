/** As much as is read of a message of the inspector (Chrome DevTools Protocol). */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly scriptId?: string; readonly url?: string };
  readonly result?: object;
  readonly error?: { readonly message: string };
}

/** One connection to an inspector. */
export class InspectorClient {
  /** Resolves when the connection has ended, from whichever side. */
  readonly closed: Promise<void>;
  onPause: (paused: boolean) => void = () => undefined;
  onClose: () => void = () => undefined;
  private readonly waiting = new Map<number, PromiseWithResolvers<object>>();
  private readonly scripts = new Map<string, string>();
  private count = 0;
  private readonly socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise(resolve => {
      socket.addEventListener('close', () => {
        for (const { reject } of this.waiting.values()) reject(new Error('the inspector closed the connection'));
        this.onClose();
        resolve();
      });
    });
    socket.addEventListener('message', ({ data }) => this.receive(JSON.parse(String(data)) as Message));
  }

  /** Connects and turns the debugger on. */
  static async open(host: string, port: number, signal: AbortSignal): Promise<InspectorClient> {
    const response = await fetch(`http://${host}:${port}/json/list`, { signal, headers: { connection: 'close' } });
    const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
    const { pathname } = new URL(target!.webSocketDebuggerUrl);
    const socket = new WebSocket(`ws://${host}:${port}${pathname}`);
    const client = new InspectorClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error('the inspector did not take the connection')));
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    await client.ask('Debugger.enable');
    return client;
  }

  /** One request; throws the inspector's error, and when the connection ends. */
  ask(method: string, params: object = {}): Promise<object> {
    const id = (this.count += 1);
    const answer = Promise.withResolvers<object>();
    this.waiting.set(id, answer);
    this.socket.send(JSON.stringify({ id, method, params }));
    return answer.promise;
  }

  /** Sets a breakpoint on the first line with a text, in the script whose URL ends so; resolves with its ID. */
  async breakAt(urlEnd: string, text: string): Promise<string> {
    const [, scriptId] = [...this.scripts].find(([url]) => url.endsWith(urlEnd)) ?? [];
    const { scriptSource = '' } = (await this.ask('Debugger.getScriptSource', { scriptId })) as {
      scriptSource?: string;
    };
    const lineNumber = scriptSource.split('\n').findIndex(line => line.includes(text));
    const set = await this.ask('Debugger.setBreakpoint', { location: { scriptId, lineNumber } });
    return (set as { breakpointId: string }).breakpointId;
  }

  close(): void {
    this.socket.close();
  }

  private receive({ id, method, params, result = {}, error }: Message): void {
    if (method === 'Debugger.scriptParsed') this.scripts.set(params?.url ?? '', params?.scriptId ?? '');
    if (method === 'Debugger.paused' || method === 'Debugger.resumed') this.onPause(method === 'Debugger.paused');
    const answer = this.waiting.get(id ?? 0);
    if (!answer) return;
    this.waiting.delete(id!);
    if (error) answer.reject(new Error(error.message));
    else answer.resolve(result);
  }
}

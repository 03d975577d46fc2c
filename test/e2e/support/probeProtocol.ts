/** What a test sends to the probe: the source of a function `(vscode, ...args)`, one request a line of JSON. */
export interface ProbeRequest {
  readonly id: number;
  readonly code: string;
  readonly args: readonly unknown[];
}

/** The answer: what the function returned, or what it threw. */
export interface ProbeReply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** The part of a Debug Adapter Protocol message that tests look at. */
export interface DapMessage {
  readonly type: 'request' | 'response' | 'event';
  readonly command?: string;
  readonly event?: string;
  readonly success?: boolean;
  readonly message?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface SessionInfo {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly parent?: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** What the probe has seen of the debug sessions of its window, in order. */
export type ProbeEvent = Readonly<
  | { kind: 'started' | 'ended'; session: SessionInfo }
  | { kind: 'toAdapter' | 'fromAdapter'; session: SessionInfo; message: DapMessage }
  | { kind: 'adapterError'; session: SessionInfo; error: string }
>;

/** Where something listens, as seen from this machine. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** One pod as its port-forwards see it. */
export interface ForwardPod {
  /** The sandbox's ID, which the container runtime names in its error texts. */
  readonly sandbox: string;
  /** Where the process behind a port of the pod listens; `undefined` when nothing does. Asked anew per connection. */
  find(port: number): Target | undefined;
  /** Aborts when the pod goes: its connections end, its sessions stay and refuse new ones, as those of a real node do. */
  readonly gone: AbortSignal;
}

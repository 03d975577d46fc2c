/** What is kept of what is said before the port listens. */
const MOST_CHARACTERS = 64 * 1024;

/** Since v1.32; on Windows in the words of that. (skaffold: pkg/skaffold/server/server.go, newStatusListener) */
const taken = (port: number) =>
  new RegExp(`listen tcp [^ ]*:${port}: bind: (address already in use|Only one usage of each socket address)`);

/** Before v1.32 it takes another by itself, and warns. */
const moved = (port: number) => new RegExp(`starting gRPC server on port (\\d+)\\. \\(${port} is already in use\\)`);

/** What Skaffold says about its RPC port on stderr. */
export class PortWords {
  private readonly wanted: number;
  private said = '';

  constructor(wanted: number) {
    this.wanted = wanted;
  }

  push(text: string): void {
    this.said = (this.said + text).slice(-MOST_CHARACTERS);
  }

  /** Whether it ends because somebody else listens there. */
  get isTaken(): boolean {
    return taken(this.wanted).test(this.said);
  }

  /** On which it listens. */
  get port(): number {
    return Number(moved(this.wanted).exec(this.said)?.[1] ?? this.wanted);
  }
}

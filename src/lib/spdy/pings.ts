import { LAST_ID } from './frames.ts';

interface Waiting {
  readonly sentAt: number;
  resolve(roundTripMs: number): void;
  reject(error: Error): void;
}

/** The pings that one side has sent and that are not answered yet. Clients number them oddly, servers evenly. */
export class Pings {
  private readonly waiting = new Map<number, Waiting>();
  private readonly first: number;
  private readonly write: (id: number) => void;
  private next: number;

  constructor(first: 1 | 2, write: (id: number) => void) {
    this.first = first;
    this.next = first;
    this.write = write;
  }

  /** Resolves with the round trip in milliseconds. */
  send(): Promise<number> {
    const id = this.next;
    this.next = id + 2 > LAST_ID ? this.first : id + 2;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { sentAt: performance.now(), resolve, reject });
      this.write(id);
    });
  }

  /** Takes an answer; `false` when it is the other side's own ping, to be sent back. */
  take(id: number): boolean {
    const ping = this.waiting.get(id);
    this.waiting.delete(id);
    ping?.resolve(performance.now() - ping.sentAt);
    return id % 2 === this.first % 2;
  }

  fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

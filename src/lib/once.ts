import { forgetOldest } from './forgetOldest.ts';

/** Tells what comes for the first time; remembers a bounded number of keys, the latest. */
export class Once {
  private readonly seen = new Set<string>();
  private readonly most: number;

  constructor(most = 1000) {
    this.most = most;
  }

  first(key: string): boolean {
    const isFirst = !this.seen.delete(key);
    this.seen.add(key);
    forgetOldest(this.seen, this.most);
    return isFirst;
  }
}

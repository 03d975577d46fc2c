/** Tests inside the extension host, by name; they run in this order, in one window. */
export type Cases = Readonly<Record<string, () => Promise<void> | void>>;

/** What came of one of them; the runner outside makes a test of it. */
export interface Result {
  readonly name: string;
  /** Undefined when it passed. */
  readonly error?: string;
}

/** Waits for a condition. `what` completes "waited in vain for …". */
export async function until<T>(what: string, look: () => T | undefined | false, limitMs = 60_000): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** Something that holds a resource until it is disposed. */
export interface Disposable {
  dispose(): void;
}

/** Owns disposables; what is added after disposal is disposed at once. */
export class Disposables implements Disposable {
  private items: Disposable[] | undefined = [];

  /** Takes ownership and returns the item, so that ownership shows where a thing is made. */
  add<T extends Disposable>(item: T): T {
    if (this.items) this.items.push(item);
    else item.dispose();
    return item;
  }

  /** Disposes what it owns, last in, first out. */
  dispose(): void {
    const items = this.items ?? [];
    this.items = undefined;
    while (items.length > 0) items.pop()!.dispose();
  }
}

/** A disposable that runs `action` once. */
export function disposable(action: () => void): Disposable {
  let pending: (() => void) | undefined = action;
  return {
    dispose() {
      const run = pending;
      pending = undefined;
      run?.();
    },
  };
}

import type { Disposable } from './disposable.ts';

/** Subscribes a listener; the shape that VS Code gives its own events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Many listeners, no replay. A listener that throws does not keep the value from the others. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = listener => {
    const call = (value: T) => listener(value);
    this.listeners.add(call);
    return { dispose: () => this.listeners.delete(call) };
  };

  /** Calls every listener, then throws the first error that one of them threw. */
  fire(value: T): void {
    let failed: { error: unknown } | undefined;
    for (const call of [...this.listeners]) {
      try {
        call(value);
      } catch (error) {
        failed ??= { error };
      }
    }
    if (failed) throw failed.error;
  }

  dispose(): void {
    this.listeners.clear();
  }
}

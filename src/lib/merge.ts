/**
 * Values of several sources in the order in which they come; a source waits until its value was taken. Ends when all
 * have ended, and throws what one of them threw. When the consumer stops early, sources are ended at their next value:
 * what makes them wait must be aborted by the caller.
 */
export async function* merge<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T, void, void> {
  const offers: { readonly value: T; readonly taken: () => void }[] = [];
  let running = sources.length;
  let failed: { readonly error: unknown } | undefined;
  let isClosed = false;
  let wake = () => {};

  const pump = async (source: AsyncIterable<T>) => {
    try {
      for await (const value of source) {
        if (isClosed) return;
        await new Promise<void>(taken => {
          offers.push({ value, taken });
          wake();
        });
        if (isClosed) return;
      }
    } catch (error) {
      failed ??= { error };
    } finally {
      running--;
      wake();
    }
  };

  for (const source of sources) void pump(source);
  try {
    for (;;) {
      const offer = offers.shift();
      if (offer) {
        try {
          yield offer.value;
        } finally {
          offer.taken();
        }
      } else if (failed) throw failed.error;
      else if (running === 0) return;
      else await new Promise<void>(resolve => (wake = resolve));
    }
  } finally {
    isClosed = true;
    for (const { taken } of offers) taken();
  }
}

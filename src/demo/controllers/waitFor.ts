import type { PodStore } from '../api/podStore.ts';

/** Resolves as soon as the store is as wanted; asked again after each change. */
export function waitFor(store: PodStore, holds: () => boolean): Promise<void> {
  if (holds()) return Promise.resolve();
  return new Promise(resolve => {
    const subscription = store.onDidChange(() => {
      if (!holds()) return;
      subscription.dispose();
      resolve();
    });
  });
}

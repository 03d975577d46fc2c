import { killFailure } from '../core/explain/probeKill.ts';
import type { Failure } from '../core/errors.ts';
import type { Store } from '../core/store.ts';
import type { Disposable } from '../lib/disposable.ts';
import { Once } from '../lib/once.ts';

/** Says once of each program that was killed while it was paused that it was, and what to do. */
export function tellProbeKills(store: Pick<Store, 'onDidChange'>, tell: (failure: Failure) => void): Disposable {
  const told = new Once();
  return store.onDidChange(({ probeKills }) => {
    for (const kill of probeKills.values()) if (kill.proof !== 'asked' && told.first(kill.run)) tell(killFailure(kill));
  });
}

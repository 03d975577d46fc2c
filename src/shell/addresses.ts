import { forwardTarget, portOf } from '../core/attachTarget.ts';
import type { Forward, Forwards } from '../core/contracts.ts';
import type { SlotId } from '../core/identity.ts';
import type { Row } from '../core/selectors.ts';
import type { Store } from '../core/store.ts';
import { type Disposable, Disposables } from '../lib/disposable.ts';

/** Local addresses of containers for other tools; a forward that is opened for one stays open while its container is there. */
export class Addresses implements Disposable {
  private readonly forwards = new Map<SlotId, Promise<Forward>>();
  private readonly own = new Disposables();
  private readonly opener: Forwards;

  constructor(opener: Forwards, store: Store) {
    this.opener = opener;
    this.own.add(
      store.onDidChange(({ entries }) => {
        for (const slot of this.forwards.keys()) if (!entries.has(slot)) this.close(slot);
      }),
    );
  }

  /** `127.0.0.1:port` of a container's debug port; where it is published, if it is in no cluster. Throws `UserError` when it cannot be forwarded. */
  async of({ container, session }: Row, signal: AbortSignal): Promise<string> {
    if (session) return local(session.localPort);
    const { slot, direct } = container;
    if (direct) return `${direct.host}:${direct.port}`;
    const target = forwardTarget(container, portOf(container));
    const forward = this.forwards.get(slot) ?? this.opener.open(target, signal);
    this.forwards.set(slot, forward);
    try {
      return local((await forward).localPort);
    } catch (error) {
      this.forwards.delete(slot);
      throw error;
    }
  }

  /** Closes the forward of a container, if there is one. */
  close(slot: SlotId): void {
    const forward = this.forwards.get(slot);
    this.forwards.delete(slot);
    void forward?.then(
      opened => opened.dispose(),
      () => undefined, // it was told to the one who asked
    );
  }

  dispose(): void {
    this.own.dispose();
    for (const slot of [...this.forwards.keys()]) this.close(slot);
  }
}

const local = (port: number) => `127.0.0.1:${port}`;

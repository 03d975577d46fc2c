import type { AttachCoordinator } from './attach.ts';
import { rawText, UserError } from './errors.ts';
import type { SlotId } from './identity.ts';

/** Attaches to several containers at once. Throws `UserError` when some cannot be attached to; each row says why of its own. */
export async function attachAll(attach: Pick<AttachCoordinator, 'attach'>, slots: readonly SlotId[]): Promise<void> {
  const outcomes = await Promise.allSettled(slots.map(slot => attach.attach(slot)));
  const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  const told = failures.filter(error => !(error instanceof UserError && error.code === 'attach-cancelled'));
  if (told.length > 0) throw notAllAttached(told, slots.length);
}

const notAllAttached = (failures: readonly unknown[], all: number): UserError => {
  const causes = [...new Set(failures.map(rawText))];
  return new UserError('not-all-attached', `${failures.length} of ${all} debuggers could not be attached.`, {
    cause: causes.join(' '),
    remedy: 'Each row says what failed and what to do.',
  });
};

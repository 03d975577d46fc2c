import type { ProcessEnd } from '../core/runs.ts';
import { UserError } from '../core/errors.ts';

/** The user has stopped what was to start. */
export const stoppedBefore = (): UserError => new UserError('stopped', 'Stopped before Skaffold was running.');

/** The Skaffold to join is not there any more, and had said nothing. */
export const notJoined = (port: number): UserError =>
  new UserError('not-joined', `Skaffold at port ${port} has ended.`, { remedy: 'Start it, then this session.' });

export const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** How a process ended, for people. */
export function endText(end: ProcessEnd | undefined): string {
  if (!end) return 'Skaffold does not end, not even when it is killed.';
  if (end.signal) return `Skaffold was ended by ${end.signal}.`;
  return end.code === 0 ? 'Skaffold has ended.' : `Skaffold has ended with exit code ${end.code}.`;
}

/** What a shell would say: 128 and the number of the signal. */
export const exitCodeOf = (end: ProcessEnd | undefined): number =>
  end?.code ?? 128 + (signalNumbers[end?.signal ?? 'SIGKILL'] ?? 0);

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

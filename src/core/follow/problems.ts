import { UserError } from '../errors.ts';

/** The run that a lost debugger was to be attached to has ended as well; the next one is waited for. */
export const runEnded = () =>
  new UserError('run-ended', 'The container’s run ended before the debugger was attached again.', {
    remedy: 'Wait: the debugger is attached to the next run.',
  });

/** Why a lost debugger does not come back, for the log. */
export const notFollowed = {
  looping:
    'the container ends again and again within seconds of its start; to debug one of its runs, attach to it by a click',
  declined: 'it was not wanted',
  late: (minutes: number) => `nothing has taken its place within ${minutes} minutes`,
  failed: (why: string) => `it could not be attached again (${why})`,
} as const;

import type { DeadlineError } from '../lib/deadline.ts';
import type { Recipe } from './contracts.ts';
import { rawText, type Step, UserError } from './errors.ts';
import type { Container } from './model.ts';

/** The user gave the attach up. */
export const attachCancelled = () => new UserError('attach-cancelled', 'The attach was cancelled.');

/** The pod was deleted, or the container is no longer debuggable. */
export const containerGone = () =>
  new UserError('container-gone', 'The container is gone.', {
    remedy: 'Attach to its successor, which appears in the view when it runs.',
  });

/** `state` is the word of the row, `reason` its reason. */
export const notAttachable = (state: string, reason: string | undefined) =>
  new UserError('container-not-ready', `The container cannot be attached to now: it is "${state}".`, {
    cause: reason,
    remedy: 'Attach when the row says "ready".',
  });

/** The container is debuggable, but no port can be read from its pod; `reason` says why. */
export const portUnknown = (container: string, reason: string | undefined) =>
  new UserError('port-unknown', `The debug port of "${container}" cannot be read from its pod.`, {
    cause: reason,
    remedy: 'Give the debugger a fixed port in the container’s command.',
  });

/** Where no programs can be run in containers. */
export const notInside = () =>
  new UserError('not-inside', 'Its debugger is a program in the container, and this front end cannot run one there.', {
    remedy: 'Attach in VS Code.',
  });

/** A step of an attach did not end within its limit. */
export const stepTimedOut = (step: Step, error: DeadlineError) =>
  new UserError(
    'step-timed-out',
    `The step "${step}" of the attach did not end within ${error.limitMs / 1000} seconds.`,
    {
      cause: error,
      remedy: 'Look at the log, then try again.',
    },
  );

/** The debugger has left, but whether the program goes on is not known. */
export const notReleased = ({ namespace, pod, container }: Container, { label }: Recipe, error: unknown) =>
  ({
    level: 'warn',
    text: `After the end of the session, ${namespace}/${pod}:${container} could not be freed of what the ${label} leaves behind (${rawText(error)}): it may be stopped. Attach again, then continue.`,
  }) as const;

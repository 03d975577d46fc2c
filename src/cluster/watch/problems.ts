import { rawText, UserError } from '../../core/errors.ts';
import { DeadlineError } from '../../lib/deadline.ts';
import { type Access, ApiError } from '../access.ts';
import { toUserError } from '../http/problems.ts';
import { SilenceError } from './body.ts';
import type { PodScope } from './options.ts';

/** A watch ended in good order before it told anything, or before it told everything that there is. */
export class EmptyWatchError extends Error {
  override readonly name = 'EmptyWatchError';
  /** Whether the list of existing pods was still under way. */
  readonly listing: boolean;

  constructor(listing: boolean) {
    super(listing ? 'the watch ended before its list of pods was complete' : 'the watch ended without an event');
    this.listing = listing;
  }
}

/** The version to continue from is gone, so only a new list can tell what changed: HTTP 410, an ERROR event, or an empty answer. */
export const hasExpired = (error: unknown): boolean =>
  (error instanceof ApiError && (error.status === 410 || error.reason === 'Expired' || error.reason === 'Gone')) ||
  (error instanceof EmptyWatchError && !error.listing);

/** Statuses that say something about the moment or the user, not about the kind of request. */
const ofTheMoment: ReadonlySet<number> = new Set([401, 403, 408, 410, 429]);

/**
 * Whether a server does not want to list by watching (`sendInitialEvents`, KEP-3157). Servers refuse it with 400 or 422; over an
 * old etcd with an ERROR event of code 500 in an answer of status 200; older ones ignore it and never say that the list is complete.
 */
export const refusesStreaming = (error: unknown): boolean =>
  (error instanceof ApiError && !hasExpired(error) && !ofTheMoment.has(error.status)) ||
  error instanceof SilenceError ||
  (error instanceof EmptyWatchError && error.listing);

/** Whether the user lacks a right. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

/** Whether the login was refused and has nothing newer to offer, which costs nobody anything to find out. */
export const isSameLogin = (error: unknown): boolean => error instanceof ApiError && error.isSameLogin;

/** Whether a server, or what stands before it, could not answer just now; that says nothing about what was asked. */
export const isOfTheMoment = (error: unknown): boolean =>
  error instanceof SilenceError || (error instanceof ApiError && [401, 408, 429, 502, 503, 504].includes(error.status));

/** Whether the connection failed or broke, so that the server has had no work. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof DeadlineError || (error instanceof Error && !(error instanceof UserError) && 'code' in error);

/** Code of the failure that says so; a source that stopped with it can be replaced by narrower ones. */
export const forbiddenCode = 'pods-forbidden';

/** Anything that ended a watch, in words for people. */
export function watchProblem(error: unknown, access: Access, scope: PodScope): UserError {
  if (isForbidden(error)) return podsForbidden(error, scope);
  const at = `API server ${access.server.host}`;
  if (error instanceof SyntaxError)
    return new UserError('not-kubernetes', `The ${at} does not answer with pods.`, {
      cause: error,
      remedy: 'Check the server address of the context, and whether a proxy or a login page answers in its place.',
    });
  if (error instanceof SilenceError)
    return new UserError('server-silent', `The ${at} does not answer.`, { cause: error, remedy: retried });
  if (error instanceof EmptyWatchError)
    return new UserError('watch-ended', `The ${at} ends the watch of pods at once.`, { cause: error, remedy: retried });
  return toUserError(error, access);
}

const retried = 'The watch is opened again by itself.';

function podsForbidden(error: unknown, { namespace }: PodScope): UserError {
  const verb = /cannot (\w+) resource/.exec(rawText(error))?.[1] ?? 'list and watch';
  const where = namespace ? `in namespace ${namespace}` : 'in all namespaces';
  return new UserError(forbiddenCode, `No right to ${verb} pods ${where}.`, {
    cause: error,
    remedy: namespace
      ? `Ask for a role with the verbs get, list and watch on pods in namespace ${namespace} (the watch then begins by itself), or choose another namespace.`
      : 'Choose the namespaces to watch, or ask for a cluster role with the verbs get, list and watch on pods.',
  });
}

import type { ContainerRef } from '../../core/contracts.ts';
import { UserError } from '../../core/errors.ts';
import { ApiError } from '../access.ts';
import { podGone } from '../forward/problems.ts';
import { DialError } from '../forward/refusal.ts';
import type { DialTarget } from '../forward/request.ts';
import { toUserError } from '../http/problems.ts';

const nameOf = ({ namespace, pod, container }: ContainerRef) => `${namespace}/${pod}:${container}`;

/** A right on `pods/exec` is missing. */
export const execForbidden = (at: ContainerRef, cause: unknown): UserError =>
  new UserError(
    'exec-forbidden',
    `Running a program in ${nameOf(at)} is not allowed: the right "create" on pods/exec in the namespace ` +
      `"${at.namespace}" is missing.`,
    {
      cause,
      remedy:
        'Ask for a role with the rule { apiGroups: [""], resources: ["pods/exec"], verbs: ["create"] } in that namespace.',
    },
  );

/** The container waits, has ended, or is between two runs. */
export const containerNotRunning = (at: ContainerRef, cause: unknown): UserError =>
  new UserError('exec-not-running', `The container ${nameOf(at)} does not run, so no program can run in it.`, {
    cause,
    remedy: 'Wait until it runs; look at its log if it does not stay.',
  });

/** What was to be run is not in the image, or is no program. */
export const programMissing = (at: ContainerRef, program: string, cause: unknown): UserError =>
  new UserError(programMissingCode, `There is no program "${program}" in the image of ${nameOf(at)}.`, {
    cause,
    remedy: 'Use an image that has it, or do without what needs it.',
  });

/** Of `programMissing`. */
export const programMissingCode = 'exec-no-program';

/** The node could not start it, for another reason. */
export const programNotStarted = (at: ContainerRef, program: string, cause: unknown): UserError =>
  new UserError('exec-failed', `The program "${program}" could not be run in ${nameOf(at)}.`, {
    cause,
    remedy: 'Try "kubectl exec" with the same program; its words may say more.',
  });

/** The connection ended before the program, or before it told how it ended. */
export const execLost = (at: ContainerRef, program: string, cause: unknown): UserError =>
  new UserError('exec-lost', `The connection to "${program}" in ${nameOf(at)} was lost.`, {
    cause,
    remedy: 'Check that the pod still runs, and the network; then try again.',
  });

/** It did not end in time. */
export const execTimedOut = (at: ContainerRef, program: string, limitMs: number): UserError =>
  new UserError('exec-timed-out', `The program "${program}" in ${nameOf(at)} did not end within ${limitMs / 1000} s.`, {
    remedy: 'The container may be short of CPU; try again.',
  });

/** It wrote more than is read. */
export const tooMuchOutput = (at: ContainerRef, program: string, mostBytes: number): UserError =>
  new UserError('exec-too-much', `The program "${program}" in ${nameOf(at)} wrote more than ${mostBytes} bytes.`, {
    remedy: 'Try again; if it stays so, please report it with the log.',
  });

/** Every transport failed; something between here and the API server may be in the way. */
export const noExecTransport = (at: ContainerRef, reasons: readonly string[]): UserError =>
  new UserError('exec-impossible', `No way to run a program in ${nameOf(at)} works.`, {
    cause: reasons.join('; '),
    remedy:
      'Something between here and the API server seems to refuse upgraded connections (a proxy, a gateway): ' +
      'use an address of the API server that goes around it.',
  });

/** In the words of the API server, the kubelet and containerd. */
const NOT_RUNNING =
  /container not found|container (?:\S+ )?is not running|is waiting to start|in a completed pod|not currently running|task \S+ not found|ContainerCreating|PodInitializing/i;

/** Words of container runtimes (runc, crun) for a program that is not there or cannot be executed. */
const NO_PROGRAM =
  /executable file[^:]*not found in \$PATH|stat [^:]*: no such file or directory|exec(?:ve)?[^\n]*: (?:no such file or directory|permission denied|exec format error)/i;

/** What the server itself said of the call, or why it cannot be reached; `undefined` when another transport may do. */
export function refusedFor(target: DialTarget, at: ContainerRef, error: unknown): UserError | undefined {
  if (error instanceof UserError) return error;
  if (!(error instanceof DialError)) return undefined;
  if (NOT_RUNNING.test(error.message)) return containerNotRunning(at, error);
  if (!error.final) return undefined;
  if (error.status === undefined) return toUserError(error.cause, target.access);
  if (error.status === 401) return toUserError(new ApiError(401, error.message), target.access);
  if (error.status === 403) return execForbidden(at, error);
  return podGone(at, error);
}

/** Why the node has not run the program. */
export function notStarted(at: ContainerRef, program: string, words: string): UserError {
  if (NOT_RUNNING.test(words)) return containerNotRunning(at, words);
  return (NO_PROGRAM.test(words) ? programMissing : programNotStarted)(at, program, words);
}

import type { ContainerRef } from '../../core/contracts.ts';
import { UserError } from '../../core/errors.ts';
import type { NodeProcess } from './processes.ts';
import { processText } from './programs.ts';

const nameOf = ({ namespace, pod, container }: ContainerRef) => `${namespace}/${pod}:${container}`;

/** Neither a program "node" nor a shell by which one could be found. */
export const noNode = (at: ContainerRef, causes: readonly string[]): UserError =>
  new UserError('no-node', `No Node.js was found in ${nameOf(at)}.`, {
    cause: causes.join('; '),
    remedy:
      'An inspector can be opened only in a container that runs Node.js, with "node" in its PATH or with a shell.',
  });

/** The script that looks did not do its work. */
export const notSeen = (at: ContainerRef, cause: string): UserError =>
  new UserError('processes-unknown', `The processes of ${nameOf(at)} could not be read.`, {
    cause,
    remedy: 'The container needs /proc, and a Node.js that is not older than version 8.',
  });

/** Nothing runs there that has an inspector. */
export const noNodeProcess = (at: ContainerRef, launchers: readonly string[], others: readonly string[]): UserError =>
  new UserError('no-node-process', `No Node.js program runs in ${nameOf(at)}.`, {
    cause: [...launchers.map(name => `${name} runs, but not yet what it starts`), ...others].join('; ') || undefined,
    remedy: 'Wait until the program has started, or choose another container of the pod.',
  });

/** The signal would end the program. */
export const signalNotCaught = (at: ContainerRef, process: NodeProcess): UserError =>
  new UserError('signal-not-caught', `The program in ${nameOf(at)} would be ended by SIGUSR1, so it was not sent.`, {
    cause: `process ${processText(process)} does not catch SIGUSR1 (SigCgt in /proc/${process.pid}/status)`,
    remedy: 'It was started with --disable-sigusr1, or is just starting. Start it with --inspect instead.',
  });

/** Somebody else listens where the inspector would. */
export const inspectorPortTaken = (at: ContainerRef, port: number, owner: NodeProcess | undefined): UserError =>
  new UserError(
    'inspector-port-taken',
    `Port ${port} of the pod is taken, so ${nameOf(at)} cannot open its inspector.`,
    {
      cause: owner
        ? `process ${processText(owner)} listens there`
        : 'another process or container of the pod listens there',
      remedy: owner
        ? 'If that is the inspector of another process, attach to that one.'
        : 'Start the program with --inspect-port=PORT, another port for each program of the pod.',
    },
  );

/** The process has gone between two looks. */
export const processGone = (at: ContainerRef, process: NodeProcess): UserError =>
  new UserError('process-gone', `The process ${processText(process)} of ${nameOf(at)} is gone.`, {
    remedy: 'Try again with the one that took its place.',
  });

/** The node did not take the signal to the process. */
export const signalRefused = (at: ContainerRef, process: NodeProcess, cause: string): UserError =>
  new UserError('signal-refused', `The process ${processText(process)} of ${nameOf(at)} could not be signalled.`, {
    cause,
    remedy: 'It runs as another user than the container does. Start it with --inspect instead.',
  });

/** The signal was sent, and no inspector came. It is not sent again. */
export const inspectorNotOpened = (at: ContainerRef, process: NodeProcess, port: number): UserError =>
  new UserError('inspector-not-opened', `The program in ${nameOf(at)} did not open its inspector.`, {
    cause: `process ${processText(process)} got SIGUSR1, and does not listen on port ${port || 'any'}`,
    remedy: 'It handles SIGUSR1 itself, or its event loop is busy. Start it with --inspect instead.',
  });

import type { Failure } from './errors.ts';
import type { Container } from './model.ts';
import type { Drain } from './skaffold.ts';

/** Fields of a debugging event, named as Skaffold's `DebuggingContainerEvent` (proto/v1/skaffold.proto). */
export type DebuggingContainerBody = Readonly<{
  status: 'Started' | 'Terminated';
  podName: string;
  containerName: string;
  namespace: string;
  artifact: string;
  runtime: string;
  workingDir: string;
  debugPorts: Readonly<Record<string, number>>;
}>;

/** A log entry before it is in the log; without a time it gets the log's. `entry` is one line for people, in Skaffold's wording where Skaffold has one. */
export type LogDraft = Readonly<{
  /** `debuggingContainerEvent`, `sourceEvent`, `attachEvent`, `noticeEvent`, `drainEvent`, or the name of another event of Skaffold's. */
  kind: string;
  source: string;
  level: 'info' | 'warn' | 'error';
  body: DebuggingContainerBody | Readonly<Record<string, unknown>>;
  entry: string;
  time?: string;
}>;

/** A log entry; `time` is RFC 3339, `number` counts up from 1 without a gap. */
export type LogRecord = LogDraft & Readonly<{ time: string; number: number }>;

/** Why a run ended, as far as it is known. */
export type End = Readonly<{ exitCode?: number; reason: string }>;

const place = (c: Container) => `pod/${c.pod}:${c.container} (${c.namespace})`;

export const startedDraft = (source: string, container: Container): LogDraft => ({
  kind: 'debuggingContainerEvent',
  source,
  level: 'info',
  body: bodyOf(container, 'Started'),
  entry: `Debuggable container started ${place(container)}`,
});

export const terminatedDraft = (source: string, container: Container): LogDraft => ({
  kind: 'debuggingContainerEvent',
  source,
  level: 'info',
  body: bodyOf(container, 'Terminated'),
  entry: `Debuggable container terminated ${place(container)}`,
});

/** A container as Skaffold's debugging events have it. */
export function bodyOf(c: Container, status: 'Started' | 'Terminated'): DebuggingContainerBody {
  const { artifact = '', runtime = '', workingDir = '', ports } = c.detection;
  return {
    status,
    podName: c.pod,
    containerName: c.container,
    namespace: c.namespace,
    artifact,
    runtime,
    workingDir,
    debugPorts: ports,
  };
}

/** An attach, a detach or a failure on a container. */
export const attachDraft = (
  status: 'Attached' | 'Detached' | 'Lost' | 'Failed',
  at: { pod: string; container: string; namespace: string },
  entry: string,
  failure?: Failure,
): LogDraft => ({
  kind: 'attachEvent',
  source: 'attach',
  level: failure ? 'error' : 'info',
  body: {
    status,
    podName: at.pod,
    containerName: at.container,
    namespace: at.namespace,
    ...(failure ? { failure } : {}),
  },
  entry,
});

const outcomes: Readonly<Record<Drain['outcome'], string>> = {
  complete: 'complete',
  'timed-out': 'not complete: the time was over',
  'connection-lost': 'perhaps not complete: the connection broke without a word',
};

/** The last word on a source that was drained. */
export const drainDraft = (source: string, drain: Drain): LogDraft => ({
  kind: 'drainEvent',
  source,
  level: drain.outcome === 'complete' ? 'info' : 'warn',
  body: drain,
  entry: `Stopped reading ${source}: ${drain.events} events in the last ${drain.ms} ms, ${outcomes[drain.outcome]}`,
});

import { portBody } from '../core/forwarded.ts';
import { bodyOf } from '../core/logRecord.ts';
import type { Entry, State } from '../core/model.ts';
import type { AnnouncedPort, Progress, SkaffoldRun } from '../core/skaffold.ts';
import { unwatchedOf } from '../core/unwatched.ts';
import { mappingAt } from '../lib/mapping.ts';
import type { Fields } from '../proto/fields.ts';

/**
 * What holds at the moment, as a `State` of Skaffold's (proto/v1/skaffold.proto): containers and forwards of all that is
 * watched; build, deploy and the other phases of the Skaffolds that are read, the latest last where they are several.
 * `own` is what the only Skaffold says of itself: what it does by itself, and its metadata.
 */
export function stateFields(state: State, own: Fields | undefined): Fields {
  const runs = [...state.skaffold.values()].filter(({ ended, isRelay }) => !ended && !isRelay);
  const auto = (name: string) => ({ autoTrigger: mappingAt(own ?? {}, name)['autoTrigger'] ?? false });
  return {
    buildState: { artifacts: artifactsOf(runs), ...auto('buildState'), statusCode: codeOf(runs, 'Build') },
    deployState: { status: statusOf(runs, 'Deploy'), ...auto('deployState'), statusCode: codeOf(runs, 'Deploy') },
    forwardedPorts: forwardedPorts(state, runs),
    statusCheckState: {
      status: statusOf(runs, 'StatusCheck'),
      resources: partsOf(runs, 'StatusCheck'),
      statusCode: codeOf(runs, 'StatusCheck'),
    },
    fileSyncState: { status: statusOf(runs, 'Sync'), ...auto('fileSyncState') },
    debuggingContainers: runningContainers(state).map(({ container }) => bodyOf(container, 'Started')),
    metadata: own?.['metadata'],
    testState: { status: statusOf(runs, 'Test'), statusCode: codeOf(runs, 'Test') },
  };
}

/** Containers that run and can be debugged: what the pod watch sees, and what a Skaffold reports where nobody watches. */
export const runningContainers = (state: State): readonly Entry[] => [
  ...[...state.entries].flatMap(([slot, { source }]) => {
    const container = state.lives.get(slot)?.started;
    return container ? [{ container, source }] : [];
  }),
  ...unwatchedOf(state).filter(({ isMissed, source }) => !isMissed && !state.skaffold.get(source)?.isRelay),
];

const forwardedPorts = (state: State, runs: readonly SkaffoldRun[]): Readonly<Record<number, Fields>> =>
  Object.fromEntries([
    ...runs.flatMap(({ ports }) => [...ports].map(([localPort, port]) => [localPort, announcedBody(port)] as const)),
    ...[...state.forwards].map(([localPort, forwarded]) => [localPort, portBody(forwarded)] as const),
  ]);

/** A target is a number (type 0) or a name (type 1). */
function announcedBody({ resource, portName = '', targetName, ...forwarded }: AnnouncedPort): Fields {
  const [resourceType = '', resourceName = ''] = resource.split('/');
  const named = targetName ? { targetPort: { type: 1, intVal: 0, strVal: targetName } } : {};
  return { ...portBody(forwarded), resourceType, resourceName, portName, ...named };
}

/** Words of Skaffold's own (skaffold: pkg/skaffold/event/event.go). Status checks and file syncs have another one for success. */
const words: Readonly<Record<Progress['status'], string>> = {
  running: 'In Progress',
  succeeded: 'Complete',
  failed: 'Failed',
  canceled: 'Canceled',
};

const wordOf = ({ task, status }: Progress): string =>
  status === 'succeeded' && (task === 'StatusCheck' || task === 'Sync') ? 'Succeeded' : words[status];

const stepsOf = (runs: readonly SkaffoldRun[], task: string): readonly Progress[] =>
  runs.flatMap(({ progress }) => [...progress.values()].filter(one => one.task === task));

const statusOf = (runs: readonly SkaffoldRun[], task: string): string => {
  const steps = stepsOf(runs, task);
  const step = steps.findLast(({ subject }) => subject === '') ?? steps.at(-1);
  return step ? wordOf(step) : 'Not Started';
};

const partsOf = (runs: readonly SkaffoldRun[], task: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    stepsOf(runs, task).flatMap(step => (step.subject === '' ? [] : [[step.subject, wordOf(step)] as const])),
  );

const artifactsOf = (runs: readonly SkaffoldRun[]): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(runs.flatMap(({ artifacts }) => artifacts.map(({ name }) => [name, 'Not Started'] as const))),
  ...partsOf(runs, 'Build'),
});

const codeOf = (runs: readonly SkaffoldRun[], task: string): string =>
  stepsOf(runs, task).find(({ problem }) => problem)?.problem?.code ?? 'OK';

import { stripVTControlCharacters } from 'node:util';
import {
  type AnnouncedPort,
  type Artifact,
  type Problem,
  type Progress,
  relayMark,
  type Reported,
  type SkaffoldFact,
} from '../core/skaffold.ts';
import { isCleanUp } from './drain.ts';
import { mappingAt, mappingsAt } from '../lib/mapping.ts';
import { type Fields, numberOf, textOf } from '../proto/fields.ts';
import type { SkaffoldEvent } from './event.ts';

type Reader = (body: Fields) => readonly SkaffoldFact[];

/** What an event means for the rows. Nothing, for events that are only told. */
export const factsOf = ({ api, kind, body }: SkaffoldEvent): readonly SkaffoldFact[] =>
  Object.hasOwn(readers[api], kind) ? readers[api][kind]!(body) : [];

const progress = (
  task: string,
  subject: string,
  body: Fields,
  problem: Problem | undefined,
): readonly SkaffoldFact[] => {
  const status = statusOf(textOf(body, 'status'));
  if (status === undefined) return [];
  return [{ kind: 'progress', progress: { task, subject, status, ...(problem ? { problem } : {}) } }];
};

/** v1 writes `In Progress`, v2 `InProgress`; success is `Complete` or `Succeeded`. What tells of no state is no progress. */
function statusOf(status: string): Progress['status'] | undefined {
  switch (status.replaceAll(' ', '')) {
    case 'InProgress':
    case 'Started':
      return 'running';
    case 'Complete':
    case 'Succeeded':
      return 'succeeded';
    case 'Failed':
      return 'failed';
    case 'Canceled':
      return 'canceled';
    default:
      return undefined;
  }
}

/** `ActionableErr`: code, words, and what Skaffold suggests. */
function problemOf(error: Fields): Problem | undefined {
  const message = textOf(error, 'message');
  const code = error['errCode'];
  if (message === '' && (code === undefined || code === 'OK')) return undefined;
  const suggestions = mappingsAt(error, 'suggestions').map(suggestion => textOf(suggestion, 'action'));
  return { code: typeof code === 'string' ? code : String(numberOf(error, 'errCode')), message, suggestions };
}

const actionable = (body: Fields): Problem | undefined => problemOf(mappingAt(body, 'actionableErr'));

function run(body: Fields): readonly SkaffoldFact[] {
  const metadata = mappingAt(body, 'metadata');
  const id = textOf(metadata, 'runID');
  const version = /Version:(\S+)/.exec(textOf(body, 'entry'))?.[1];
  const artifacts = mappingsAt(mappingAt(metadata, 'build'), 'artifacts').map(artifactOf);
  const isRelay = relayMark in mappingAt(metadata, 'additional');
  return [
    {
      kind: 'run',
      ...(id ? { id } : {}),
      ...(version ? { version } : {}),
      ...(artifacts.length > 0 ? { artifacts } : {}),
      ...(isRelay ? { isRelay } : {}),
    },
  ];
}

const artifactOf = (fields: Fields): Artifact => ({
  name: textOf(fields, 'name'),
  builder: textOf(fields, 'type'),
  context: textOf(fields, 'context'),
});

function debugging(body: Fields): readonly SkaffoldFact[] {
  const status = textOf(body, 'status');
  if (status !== 'Started' && status !== 'Terminated') return [];
  const reported: Reported = {
    namespace: textOf(body, 'namespace'),
    pod: textOf(body, 'podName'),
    container: textOf(body, 'containerName'),
    artifact: textOf(body, 'artifact'),
    runtime: textOf(body, 'runtime'),
    workingDir: textOf(body, 'workingDir'),
    ports: portsOf(mappingAt(body, 'debugPorts')),
  };
  return [{ kind: 'debugging', status, reported }];
}

/** An annotation can name any number; only ports are ports. */
const portsOf = (ports: Fields): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(ports).filter((entry): entry is [string, number] => {
      const [, port] = entry;
      return typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536;
    }),
  );

/** `remotePort` is 0 when the target is named, and v2 has none. */
function port(body: Fields): readonly SkaffoldFact[] {
  const target = mappingAt(body, 'targetPort');
  const [portName, targetName] = [textOf(body, 'portName'), textOf(target, 'strVal')];
  const port: AnnouncedPort = {
    localPort: numberOf(body, 'localPort'),
    remotePort: numberOf(target, 'intVal') || numberOf(body, 'remotePort'),
    namespace: textOf(body, 'namespace'),
    pod: textOf(body, 'podName'),
    container: textOf(body, 'containerName'),
    resource: [textOf(body, 'resourceType'), textOf(body, 'resourceName')].filter(Boolean).join('/'),
    ...(portName ? { portName } : {}),
    ...(targetName ? { targetName } : {}),
  };
  return [{ kind: 'port', port }];
}

const termination: Reader = body => {
  const problem = problemOf(mappingAt(body, 'err'));
  return [{ kind: 'termination', ...(problem ? { problem } : {}) }];
};

/** Written for each image that "skaffold debug" cannot set up (skaffold: pkg/skaffold/kubernetes/debugging/transform.go). */
const notConfigured = /^(?:Image )?"([^"]{1,500})" not configured for debugging: (.{1,500})/;

/** Of the lines that Skaffold prints, these mean something for the rows. */
function logLine(body: Fields): readonly SkaffoldFact[] {
  const message = textOf(body, 'message');
  if (isCleanUp(textOf(body, 'task_id'), message)) return [{ kind: 'ending' }];
  if (!message.includes('not configured for debugging')) return [];
  const [, image, reason] = notConfigured.exec(stripVTControlCharacters(message)) ?? [];
  return image && reason ? [{ kind: 'not-configured', image, reason }] : [];
}

/** v1 has one for each run (the start, and each change of skaffold.yaml), v2 one for each iteration. */
const newRun: Reader = body => run(body).map(fact => (fact.kind === 'run' ? { ...fact, isNew: true } : fact));

const readers: Readonly<Record<SkaffoldEvent['api'], Readonly<Record<string, Reader>>>> = {
  v1: {
    metaEvent: newRun,
    debuggingContainerEvent: debugging,
    portEvent: port,
    terminationEvent: termination,
    buildEvent: body => progress('Build', textOf(body, 'artifact'), body, actionable(body)),
    TestEvent: body => progress('Test', '', body, actionable(body)),
    deployEvent: body => progress('Deploy', '', body, actionable(body)),
    statusCheckEvent: body => progress('StatusCheck', '', body, actionable(body)),
    resourceStatusCheckEvent: body => progress('StatusCheck', textOf(body, 'resource'), body, actionable(body)),
    fileSyncEvent: body => progress('Sync', textOf(body, 'image'), body, actionable(body)),
    devLoopEvent: body => progress('DevLoop', '', body, problemOf(mappingAt(body, 'err'))),
  },
  v2: {
    metaEvent: run,
    debuggingContainerEvent: debugging,
    portEvent: port,
    terminationEvent: termination,
    skaffoldLogEvent: logLine,
    taskEvent: body => progress(textOf(body, 'task'), '', body, actionable(body)),
    // A failed step `Cache` is a miss, after which the artifact is built.
    buildSubtaskEvent: body =>
      textOf(body, 'step') === 'Cache' && textOf(body, 'status') === 'Failed'
        ? []
        : progress('Build', textOf(body, 'artifact'), body, actionable(body)),
    statusCheckSubtaskEvent: body => progress('StatusCheck', textOf(body, 'resource'), body, actionable(body)),
  },
};

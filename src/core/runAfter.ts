import {
  type AnnouncedPort,
  type Drain,
  type Progress,
  type Reported,
  reportedKey,
  type SkaffoldFact,
  type SkaffoldRun,
} from './skaffold.ts';

const noRun: SkaffoldRun = {
  ids: [],
  artifacts: [],
  reported: new Map(),
  earlier: new Set(),
  ports: new Map(),
  progress: new Map(),
  hasDeployed: false,
  notConfigured: new Map(),
};

/** Each change of skaffold.yaml brings another id; pods of so many of them are known as the run's. */
const MOST_IDS = 50;
const MOST_IMAGES = 200;

/** The run after one more fact; the same object when nothing is new. */
export function runAfter(before: SkaffoldRun = noRun, fact: SkaffoldFact): SkaffoldRun {
  switch (fact.kind) {
    case 'about':
      return { ...(before.ended ? noRun : before), about: fact.about };
    case 'run':
      return fact.isNew ? withKnown(anew(before), fact) : withKnown(before, fact);
    case 'debugging':
      return debuggingAfter(before, fact.status, fact.reported);
    case 'port':
      return isKnown(before, fact.port)
        ? before
        : { ...before, ports: new Map(before.ports).set(fact.port.localPort, fact.port) };
    case 'progress':
      return progressAfter(before, fact.progress);
    case 'not-configured':
      if (before.notConfigured.get(fact.image) === fact.reason || before.notConfigured.size >= MOST_IMAGES)
        return before;
      return { ...before, notConfigured: new Map(before.notConfigured).set(fact.image, fact.reason) };
    case 'ending':
      return before.isEnding ? before : { ...before, isEnding: true };
    case 'termination':
      return fact.problem ? { ...before, problem: fact.problem } : before;
    default:
      return fact satisfies never;
  }
}

/** Nothing more comes: what it said of its containers and ports holds no more, how it failed does. */
export const runEnded = (before: SkaffoldRun, ended: Drain): SkaffoldRun => ({
  ...before,
  ended,
  reported: noRun.reported,
  earlier: noRun.earlier,
  ports: noRun.ports,
  progress: new Map([...before.progress].filter(([, { status }]) => status === 'failed')),
});

/** The same process with another runner: what it deployed before is still its own. */
function anew({ problem: _problem, isEnding: _isEnding, ended: _ended, ...kept }: SkaffoldRun): SkaffoldRun {
  const { about, ids, version, artifacts } = kept;
  return { ...noRun, ...(about ? { about } : {}), ids, ...(version ? { version } : {}), artifacts };
}

function withKnown(
  run: SkaffoldRun,
  { id, version, artifacts, isRelay }: Extract<SkaffoldFact, { kind: 'run' }>,
): SkaffoldRun {
  return {
    ...run,
    ...(version ? { version } : {}),
    ...(artifacts ? { artifacts } : {}),
    ...(isRelay ? { isRelay } : {}),
    ids: id ? [...run.ids.filter(known => known !== id), id].slice(-MOST_IDS) : run.ids,
  };
}

/** Skaffold announces a forward again and again, with nothing new. */
const isKnown = ({ ports }: SkaffoldRun, port: AnnouncedPort): boolean =>
  JSON.stringify(ports.get(port.localPort)) === JSON.stringify(port);

function debuggingAfter(before: SkaffoldRun, status: 'Started' | 'Terminated', reported: Reported): SkaffoldRun {
  const key = reportedKey(reported);
  if (status === 'Terminated' && !before.reported.has(key)) return before;
  const after = new Map(before.reported);
  if (status === 'Started') after.set(key, reported);
  else after.delete(key);
  if (!before.earlier.has(key)) return { ...before, reported: after };
  const earlier = new Set(before.earlier);
  earlier.delete(key);
  return { ...before, reported: after, earlier };
}

const progressKey = ({ task, subject }: Progress): string => JSON.stringify([task, subject]);

/** Both services tell of a task, so that the second word is often no news. */
function progressAfter(before: SkaffoldRun, progress: Progress): SkaffoldRun {
  const key = progressKey(progress);
  const was = before.progress.get(key);
  if (was?.status === progress.status && JSON.stringify(was) === JSON.stringify(progress)) return before;
  const begins = (task: string) => progress.task === task && progress.subject === '' && progress.status === 'running';
  if (begins('DevLoop') && was?.status !== 'running') return { ...before, progress: new Map([[key, progress]]) };
  const run = { ...before, progress: new Map(before.progress).set(key, progress) };
  if (begins('Deploy') && was?.status !== 'running') return { ...run, earlier: new Set(before.reported.keys()) };
  const hasDeployed = progress.task === 'Deploy' && progress.status === 'succeeded';
  return hasDeployed ? { ...run, hasDeployed } : run;
}

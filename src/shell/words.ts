import type { Failure, Step } from '../core/errors.ts';
import { probeRisksOf, riskText } from '../core/explain/probes.ts';
import { leaseText } from '../core/leases.ts';
import { unboundFix, unboundText } from '../core/explain/unbound.ts';
import type { DebugState, Row } from '../core/selectors.ts';
import { labelText, type Translate } from './plain.ts';

/** How a row looks: its state in a word, as an icon, as a colour. */
export type Look = Readonly<{ word: string; icon: string; color?: string }>;

/** Everything that a row says, as plain text. */
export type RowText = Readonly<{ look: Look; description: string; tooltip: string; spoken: string }>;

const runtimeNames: Readonly<Record<string, string>> = {
  jvm: 'Java',
  nodejs: 'Node.js',
  python: 'Python',
  go: 'Go',
  netcore: '.NET',
  deno: 'Deno',
  bun: 'Bun',
  ruby: 'Ruby',
  native: 'C/C++/Rust',
};

/** Icon and theme colour of each state; the word comes beside them, so colour never stands alone. */
const looks: Readonly<Record<DebugState | 'failed' | 'waits', Readonly<{ icon: string; color?: string }>>> = {
  ready: { icon: 'circle-outline', color: 'charts.green' },
  attached: { icon: 'debug-alt', color: 'charts.green' },
  paused: { icon: 'debug-pause', color: 'charts.yellow' },
  attaching: { icon: 'loading~spin' },
  'waiting-for-listener': { icon: 'loading~spin' },
  starting: { icon: 'clock' },
  terminating: { icon: 'stop-circle', color: 'disabledForeground' },
  ended: { icon: 'circle-slash', color: 'disabledForeground' },
  lost: { icon: 'debug-disconnect', color: 'list.warningForeground' },
  'not-debuggable': { icon: 'warning', color: 'list.warningForeground' },
  failed: { icon: 'error', color: 'list.errorForeground' },
  waits: { icon: 'debug-pause', color: 'charts.blue' },
};

/** A runtime by the name that people use. */
export const runtimeName = (runtime: string | undefined, t: Translate): string =>
  runtime === undefined ? t('unknown runtime') : (runtimeNames[runtime] ?? labelText(runtime, 40));

/** The state of a row, in a word or two. */
export function lookOf({ state, failure, step, session, waitsForYou }: Row, t: Translate): Look {
  if (failure) return { ...looks.failed, word: failedWord(failure, t) };
  if (waitsForYou) return { ...looks.waits, word: t('waits for you') };
  const word = step && !session ? stepWord(step, t) : stateWord(state, t);
  return { ...looks[state], word };
}

/** All texts of a row. `leftOut` is what its label leaves out: pod or container. */
export function rowText(row: Row, label: string, leftOut: string | undefined, t: Translate): RowText {
  const place = leftOut && labelText(leftOut);
  const look = lookOf(row, t);
  const { detection } = row.container;
  const runtime = runtimeName(detection.runtime, t);
  const stale = row.isStale ? t('may be out of date') : undefined;
  const doubt = row.disagreement && t('sources disagree');
  const unbound = unboundWord(row, t);
  const isReasonShort = row.state !== 'ready' && row.state !== 'attached' && !row.failure && row.reason;
  const state = isReasonShort ? `${look.word}: ${labelText(row.reason, 80)}` : look.word;
  const spokenState = row.failure ? `${look.word}: ${labelText(row.failure.message)}` : state;
  const { direct } = row.container;
  const port = direct ? `:${direct.port}` : detection.port === undefined ? undefined : `:${detection.port}`;
  return {
    look,
    description: parts([runtime, state, unbound, port, stale, doubt, place]).join(' · '), // its end is cut off where there is no room
    tooltip: tooltipOf(row, look, runtime, t),
    spoken: parts([
      labelText(label),
      place,
      runtime,
      spokenState,
      unbound,
      port && t('port {0}', port.slice(1)),
      stale,
      row.disagreement,
    ]).join(', '),
  };
}

/** A failure as lines for people: what failed and where, the raw cause, what to do. */
export const failureLines = ({ message, cause, remedy, step }: Failure, t: Translate): readonly string[] =>
  parts([
    step ? t('Failed at {0}: {1}', stepName(step, t), labelText(message)) : labelText(message),
    cause && cause !== message ? t('Cause: {0}', labelText(cause, 1000)) : undefined,
    remedy && t('What to do: {0}', labelText(remedy)),
  ]);

function tooltipOf(row: Row, look: Look, runtime: string, t: Translate) {
  const { container: c, reason, failure, session, isStale } = row;
  return parts([
    c.pod
      ? t('{0} in pod {1}, namespace {2}', labelText(c.container), labelText(c.pod), labelText(c.namespace))
      : t('{0} in Docker', labelText(c.container)),
    `${labelText(c.workload.kind)} ${labelText(c.workload.name)}, ${labelText(c.image)}`,
    `${runtime}: ${look.word}${reason ? `, ${labelText(reason)}` : ''}`,
    session && t('Debugger at 127.0.0.1:{0}', String(session.localPort)),
    row.waitsForYou ? t('The program begins when a debugger is attached.') : undefined,
    row.followed !== undefined ? t('The debugger comes back: {0}', labelText(row.followed)) : undefined,
    ...(session?.breakpoints?.unbound ?? [])
      .slice(0, MOST_TOLD)
      .map(one =>
        t('Breakpoint: {0}. {1}', labelText(unboundText(one), 1000), labelText(unboundFix(one, c.detection.runtime))),
      ),
    c.restarts > 0 ? t('Restarts: {0}', String(c.restarts)) : undefined,
    c.detection.found && t('Found: {0}', labelText(c.detection.found)),
    c.detection.artifact && t('Artifact: {0}', labelText(c.detection.artifact)),
    ...[...probeRisksOf(c).map(riskText), ...(row.leases ?? []).map(leaseText)].map(risk =>
      t('While it is paused: {0}', labelText(risk)),
    ),
    ...witnessLines(row, t),
    isStale ? t('The connection to the cluster is lost; this may be out of date.') : undefined,
    ...(failure ? failureLines(failure, t) : []),
  ]).join('\n');
}

/** Who sees a container of a Skaffold, and what Skaffold forwards to it. Nothing for others: only the watch can see them. */
export const witnessLines = ({ seenBy, run, disagreement, announced }: Row, t: Translate): readonly string[] => {
  if (run === undefined) return [];
  const byWatch = seenBy.some(source => !source.startsWith('skaffold'));
  const bySkaffold = seenBy.some(source => source.startsWith('skaffold'));
  return parts([
    byWatch && bySkaffold ? t('Seen by the pod watch and by Skaffold') : undefined,
    byWatch && !bySkaffold ? t('Seen by the pod watch; not reported by Skaffold') : undefined,
    byWatch ? undefined : t('Reported by Skaffold only'),
    disagreement,
    ...(announced ?? []).map(({ localPort, remotePort }) =>
      t('Skaffold announces a forward of its own: 127.0.0.1:{0} to port {1}', String(localPort), String(remotePort)),
    ),
  ]);
};

/** A tooltip has room for so many breakpoints. */
const MOST_TOLD = 5;

/** Breakpoints that the program has not taken. */
function unboundWord({ session }: Row, t: Translate): string | undefined {
  const count = session?.breakpoints?.unbound.length ?? 0;
  if (count === 0) return undefined;
  return count === 1 ? t('1 breakpoint not bound') : t('{0} breakpoints not bound', String(count));
}

const failedWord = ({ step }: Failure, t: Translate) =>
  step ? t('failed at {0}', stepName(step, t)) : t('attach failed');

function stateWord(state: DebugState, t: Translate): string {
  switch (state) {
    case 'not-debuggable':
      return t('not debuggable');
    case 'starting':
      return t('starting');
    case 'waiting-for-listener':
      return t('waiting for the debug listener');
    case 'ready':
      return t('ready');
    case 'attaching':
      return t('attaching');
    case 'attached':
      return t('attached');
    case 'paused':
      return t('paused');
    case 'lost':
      return t('connection lost');
    case 'terminating':
      return t('terminating');
    case 'ended':
      return t('ended');
    default:
      return state satisfies never;
  }
}

function stepWord(step: Step, t: Translate): string {
  switch (step) {
    case 'debugger':
    case 'container':
      return t('attaching');
    case 'forward':
      return t('attaching: opening the port-forward');
    case 'listener':
      return t('attaching: waiting for the debug listener');
    case 'paths':
      return t('attaching: finding the sources');
    case 'session':
      return t('attaching: starting the debugger');
    default:
      return step satisfies never;
  }
}

/** A step of an attach, as a noun. */
export function stepName(step: Step, t: Translate): string {
  switch (step) {
    case 'debugger':
      return t('the debugger');
    case 'container':
      return t('the container');
    case 'forward':
      return t('the port-forward');
    case 'listener':
      return t('the debug listener');
    case 'paths':
      return t('the source paths');
    case 'session':
      return t('the debug session');
    default:
      return step satisfies never;
  }
}

const parts = (list: readonly (string | undefined)[]): string[] =>
  list.filter(part => part !== undefined && part !== '') as string[];

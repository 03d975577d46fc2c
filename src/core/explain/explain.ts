import { portUnknown } from '../attachProblems.ts';
import { attachSteps, type Failure, failureOf, type Step } from '../errors.ts';
import { LEASE_REMEDY, leaseText } from '../leases.ts';
import type { Container, State } from '../model.ts';
import { runStateOf } from '../runState.ts';
import type { Row } from '../selectors.ts';
import { reportersOf } from '../skaffold.ts';
import { lastWordsOf, lineFix, lineText, unreadText } from './lastWords.ts';
import { killText, probeKillOf } from './probeKill.ts';
import { probeRisksOf, riskRemedy, riskText } from './probes.ts';
import { unboundFix, unboundText } from './unbound.ts';

/** The links of the chain from a Skaffold to a breakpoint, in their order. */
export const linkNames = [
  'skaffold',
  'event',
  'evidence',
  'pod',
  'probes',
  'port',
  'forward',
  'listener',
  'debugger',
  'session',
  'paths',
  'breakpoints',
] as const;

export type LinkName = (typeof linkNames)[number];

/** How one link is: `unknown` has not been tried, or does not matter. A link that is broken has one fix. */
export type Finding = Readonly<{ ok: boolean | 'unknown'; detail: string; fix: string | null }>;

/** A link of the chain with how it is. */
export type ExplainStep = Readonly<{ name: LinkName }> & Finding;

/** What only a front end can find out: it goes before what the state says. */
export type Findings = Readonly<Partial<Record<LinkName, Finding>>>;

/** Why a container can be debugged or cannot, link by link. Foreign text is as it came. */
export function explain(state: State, row: Row, found: Findings = {}): readonly ExplainStep[] {
  const findings: Readonly<Record<LinkName, Finding>> = {
    skaffold: skaffoldFinding(state, row),
    event: eventFinding(state, row),
    evidence: evidenceFinding(row.container),
    pod: podFinding(state, row),
    probes: probesFinding(state, row),
    port: portFinding(row.container),
    forward: attachFinding(row, 'forward', 'A port-forward is opened when a debugger is attached.'),
    listener: attachFinding(row, 'listener', 'The debug port is asked when a debugger is attached.'),
    debugger: attachFinding(row, 'debugger', 'The debugger is looked for when it is attached.'),
    session: attachFinding(row, 'session', 'No debugger is attached.'),
    paths: pathsFinding(row),
    breakpoints: breakpointsFinding(row),
  };
  return linkNames.map(name => ({ name, ...(found[name] ?? findings[name]) }));
}

/** A failure as a broken link. */
export const broken = ({ message, cause, remedy }: Failure, otherwise: string): Finding =>
  no(cause && cause !== message ? `${message} (${cause})` : message, remedy ?? otherwise);

export const yes = (detail: string): Finding => ({ ok: true, detail, fix: null });
export const unknown = (detail: string, fix: string | null = null): Finding => ({ ok: 'unknown', detail, fix });
const no = (detail: string, fix: string): Finding => ({ ok: false, detail, fix });

function skaffoldFinding(state: State, { run: source }: Row): Finding {
  const run = source === undefined ? undefined : state.skaffold.get(source);
  if (source === undefined || !run)
    return unknown('No running Skaffold is known that has deployed it; none is needed.');
  const now = runStateOf(run, state.sources.get(source));
  const name = run.about?.name ?? source;
  if (now.kind === 'failed' && now.step.failure)
    return broken(now.step.failure, 'Correct what failed; Skaffold tries again.');
  if (now.kind === 'failed') return no(`${now.step.task || 'Skaffold'} failed.`, 'Look at the output of Skaffold.');
  if (now.kind === 'lost')
    return now.failure
      ? broken(now.failure, 'Look whether this Skaffold still runs.')
      : no('Its events come no more.', 'Look whether this Skaffold still runs.');
  if (now.kind === 'ended') return no(`${name} has ended.`, 'Start "skaffold debug" again.');
  if (now.kind === 'offered') return unknown(`${name} runs, and nobody reads its events.`, 'Join it.');
  return yes(`${name} is ${now.kind}.`);
}

function eventFinding({ skaffold }: State, { container, run, disagreement }: Row): Finding {
  if (run === undefined) return unknown('Without a Skaffold there is no event; the pod watch sees the container.');
  if (disagreement) return unknown(disagreement);
  return reportersOf(skaffold, container).length > 0
    ? yes('Skaffold has reported the container as debuggable.')
    : unknown('Skaffold has not reported the container; the pod watch sees it.');
}

function evidenceFinding({ detection }: Container): Finding {
  const { verdict, found, reason } = detection;
  const detail = [found, reason].filter(Boolean).join('; ') || 'nothing in the pod speaks of a debugger';
  if (verdict === 'crash') return no(detail, 'Correct the debug flags in the command or environment of the container.');
  if (verdict === 'not-debuggable')
    return no(detail, 'Deploy with "skaffold debug", or give the program its debug flag with a fixed port.');
  return yes(verdict === 'suspended' ? `${found}; the program waits for a debugger` : found);
}

function podFinding(all: State, { container, state, reason, isStale }: Row): Finding {
  const { phase } = container;
  if (isStale) return unknown('The connection to the cluster is lost.', 'Wait until it is back, or refresh.');
  if (state === 'ended' && phase.kind === 'running') return no(reason ?? 'It is gone.', 'Use its successor.');
  if (phase.kind === 'running')
    return yes(container.restarts > 0 ? `running, restarts: ${container.restarts}` : 'running');
  if (phase.kind === 'terminating') return no('Its pod is being deleted.', 'Attach to its successor.');
  const last = phase.kind === 'terminated' ? phase : container.last;
  const detail = phase.kind === 'waiting' ? [phase.reason, phase.message].filter(Boolean).join(': ') : '';
  const end = last
    ? `last run: ${last.reason}, exit code ${last.exitCode}${last.message ? `: ${last.message}` : ''}`
    : '';
  const words = lastWordsOf(all, container);
  const said = words && ('line' in words ? lineText(words.line) : unreadText(words.failure));
  const fix = words && 'line' in words ? lineFix(words.line) : podFix(container, last !== undefined);
  return no([detail, end, said].filter(Boolean).join('; '), fix);
}

function podFix({ phase, pod, container, namespace }: Container, hasRun: boolean): string {
  if (phase.kind === 'waiting' && /Image/.test(phase.reason))
    return 'Check the name of the image and the right to pull it.';
  if (!hasRun) return 'Wait until it runs; if it stays so, look at the events of the pod.';
  return `Look why it ended: kubectl logs --previous -n ${namespace} ${pod} -c ${container}`;
}

function probesFinding(state: State, { container, leases = [] }: Row): Finding {
  const kill = probeKillOf(state, container);
  if (kill) return no(`${sentence(killText(kill))}.`, riskRemedy({ probe: kill.probe, effect: 'restart' }));
  const risks = probeRisksOf(container);
  const [worst] = risks;
  const costs = [...risks.map(riskText), ...leases.map(leaseText)];
  if (costs.length === 0) return yes('No probe fails while the program is paused.');
  return no(`While the program is paused, ${costs.join('; ')}.`, worst ? riskRemedy(worst) : LEASE_REMEDY);
}

function portFinding({ detection, direct, container }: Container): Finding {
  const { port, ports, reason, runtime } = detection;
  if (port === undefined && runtime === 'netcore')
    return yes('None is needed: its debugger is a program in the container.');
  if (port === undefined) {
    const failure = failureOf(portUnknown(container, reason));
    return broken(failure, 'Give the debugger a fixed port.');
  }
  const name = Object.keys(ports).find(key => ports[key] === port);
  const at = direct ? `, published at ${direct.host}:${direct.port}` : '';
  return yes(`${port}${name ? ` (${name})` : ''}${at}`);
}

const sentence = (clause: string) => clause.charAt(0).toUpperCase() + clause.slice(1);

/** A step of the attach that is on, or of the last one. */
function attachFinding({ session, state, reason, failure, step }: Row, own: Step, untried: string): Finding {
  if (session && state === 'lost')
    return no(`The session has lost its container: ${reason ?? 'it is gone'}.`, 'Detach, then attach again.');
  if (session) return yes(own === 'session' ? `${session.name} is ${state}` : `127.0.0.1:${session.localPort}`);
  const reached = attachSteps.indexOf(step ?? failure?.step ?? 'debugger') - attachSteps.indexOf(own);
  if (failure?.step === own) return broken(failure, 'Attach again.');
  if (step === own) return unknown('under way');
  return (step ?? failure?.step) !== undefined && reached > 0 ? yes('It was so at the last attach.') : unknown(untried);
}

function pathsFinding(row: Row): Finding {
  if (!row.session) return attachFinding(row, 'paths', 'The sources are looked for when a debugger is attached.');
  const { sources = [], breakpoints } = row.session;
  if (sources.length === 0) return no('No sources were found for it.', 'Open the folder with its sources.');
  const elsewhere = breakpoints?.unbound.find(({ loaded, expected }) => loaded !== undefined && loaded !== expected);
  const told = sources.join(' ');
  if (elsewhere)
    return no(`${told} But ${unboundText(elsewhere)}.`, unboundFix(elsewhere, row.container.detection.runtime));
  const isGuess = sources.some(source => source.startsWith('Not certain'));
  return isGuess && !breakpoints?.bound ? unknown(told, SAY_PATHS) : yes(told);
}

const SAY_PATHS =
  'If breakpoints stay grey, open the folder of the program itself, or write localRoot and remoteRoot into a launch configuration.';

function breakpointsFinding({ session, container }: Row): Finding {
  if (!session) return unknown('Without a session no breakpoint is bound.');
  const { bound, unbound } = session.breakpoints ?? { bound: 0, unbound: [] };
  const [first] = unbound;
  if (first) {
    const of = `${unbound.length} of ${bound + unbound.length} breakpoints`;
    return no(`${of}: ${unbound.map(unboundText).join('; ')}.`, unboundFix(first, container.detection.runtime));
  }
  if (bound > 0) return yes(`${bound} bound${session.paused ? '; the program is paused' : ''}.`);
  return session.paused ? yes('The program is paused.') : unknown('No breakpoint is set in its sources.');
}

import type { Detection, Verdict } from '../../core/model.ts';
import { oneLine } from '../../lib/plainText.ts';
import type { Detect, Pod, PodContainer } from '../pods/pod.ts';
import { ANNOTATION, type Annotated, annotationOf } from './annotation.ts';
import { neighbourOn } from './conflicts.ts';
import { findBun } from './bun.ts';
import { findDeno } from './deno.ts';
import { type Find, type Finding, hiddenPort } from './finding.ts';
import { findGo } from './go.ts';
import { findJvm } from './jvm.ts';
import { findNative } from './native.ts';
import { findNetcore } from './netcore.ts';
import { findNode } from './nodejs.ts';
import { namedPorts, type NamedPort } from './portNames.ts';
import { findPython, pydevdReason } from './python.ts';
import { findRuby } from './ruby.ts';
import { protocolsOf, runtimeNamed, runtimeSpeaking } from './runtimes.ts';
import { placeOf, startOf } from './start.ts';

/** Whether a debugger can be attached to a container, judged by its specification; evidence, port and reason in words. */
export const detect: Detect = (spec, pod) => {
  const detection = detectAlone(spec, pod);
  if (!detection.listed || detection.port === undefined) return detection;
  const other = neighbourOn(detection.port, spec, pod, detectAlone);
  if (other === undefined) return detection;
  const shared = `Container ${other} of this pod has debug port ${detection.port} too, and only one of them can listen there.`;
  return { ...detection, reason: sentences(detection.reason, shared)! };
};

function detectAlone(spec: PodContainer, pod: Pod): Detection {
  const annotated = annotationOf(pod, spec.name ?? '');
  const start = startOf(spec, pod);
  const findings = finders.flatMap(find => find(start));
  const best = findings.toSorted((a, b) => rank(a) - rank(b))[0];
  const [named] = namedPorts(spec);
  const text = best ? `${best.where ?? placeOf(best.text, spec)} has ${oneLine(best.text, 200)}` : undefined;
  const workingDir = annotated?.workingDir ?? spec.workingDir;
  const judged = annotated
    ? ofAnnotation(annotated, best, text)
    : named && (!best || rank(best) > NAMED_PORT)
      ? ofNamedPort(named, best)
      : ofFinding(best, text);
  return {
    ...judged,
    ...(annotated?.artifact === undefined ? {} : { artifact: annotated.artifact }),
    ...(typeof workingDir === 'string' && workingDir !== '' ? { workingDir } : {}),
  };
}

type Judged = Omit<Detection, 'artifact' | 'workingDir'>;

const finders: readonly Find[] = [
  findJvm,
  findNode,
  findDeno,
  findBun,
  findPython,
  findGo,
  findNetcore,
  findRuby,
  findNative,
];

const NAMED_PORT = 2;

/** What counts more comes first: flags that start a debugger, broken flags, named ports, variables of images, hints. */
function rank({ evidence, verdict, where }: Finding): number {
  if (evidence === 'flags') return verdict === 'not-debuggable' ? 1 : 0;
  if (evidence === 'image-variables') return NAMED_PORT + 1;
  return where === undefined ? NAMED_PORT + 2 : NAMED_PORT + 3;
}

/** The annotation decides on runtime and ports; what the flags say about the program's state still counts. */
function ofAnnotation(annotated: Annotated, best: Finding | undefined, text: string | undefined): Judged {
  const { ports, refused } = annotated;
  const names = Object.keys(ports);
  const bySpeech = annotated.runtime ? undefined : names.map(runtimeSpeaking).find(found => found !== undefined);
  const known = runtimeNamed(annotated.runtime) ?? bySpeech;
  const runtime = known ?? annotated.runtime;
  const state = best && best.runtime === known && isSetUp(best) ? best : undefined;
  const spoken = known && protocolsOf(known).find(name => name in ports);
  const port = spoken ? ports[spoken] : names.length === 1 ? ports[names[0]!] : state?.port;
  const about = [runtime || 'no runtime', ...names.map(name => `${name} ${ports[name]}`)]
    .map(part => oneLine(part))
    .join(', ');
  const base = {
    ...(runtime === '' ? {} : { runtime }),
    ...(port === undefined ? {} : { port }),
    ...(state?.path === undefined ? {} : { path: state.path }),
    ...(state?.takesMany ? { takesMany: true } : {}),
    ports: names.length === 0 && state?.protocol && state.port ? { [state.protocol]: state.port } : ports,
    evidence: 'annotation',
    found: `annotation ${ANNOTATION} has ${about}${state && text ? `; ${text}` : ''}`,
    listed: true,
  } as const;
  const judged = (verdict: Verdict, ...reasons: (string | undefined)[]): Judged => {
    const reason = sentences(...refused, ...reasons);
    return { ...base, verdict, ...(reason ? { reason } : {}) };
  };
  if (!known) return judged('not-debuggable', unsupported(runtime));
  if (spoken === 'pydevd') return judged('not-debuggable', pydevdReason);
  if (state && overrules(state)) return judged(state.verdict, state.reason);
  if (port === undefined && known !== 'netcore')
    return judged('port-unknown', state?.reason ?? 'The annotation gives no port.');
  const differs =
    state?.port !== undefined && state.port !== port
      ? `The annotation says port ${port}, but ${text} says ${state.port}.`
      : state?.reason === hiddenPort
        ? undefined
        : state?.reason;
  return judged('live', differs);
}

function ofNamedPort({ name, port }: NamedPort, best: Finding | undefined): Judged {
  const runtime = runtimeSpeaking(name);
  const base = {
    port,
    ports: { [name]: port },
    evidence: 'port-name',
    found: `port ${port} is named ${name}`,
    listed: true,
  } as const;
  if (!runtime)
    return { ...base, verdict: 'not-debuggable', reason: 'Nothing in the pod says which debugger listens there.' };
  if (name === 'pydevd') return { ...base, runtime, verdict: 'not-debuggable', reason: pydevdReason };
  const suspended = best?.runtime === runtime && best.verdict === 'suspended';
  return { ...base, runtime, verdict: suspended ? 'suspended' : 'live' };
}

function ofFinding(best: Finding | undefined, text: string | undefined): Judged {
  if (!best)
    return {
      verdict: 'not-debuggable',
      ports: {},
      evidence: 'none',
      found: 'nothing in the pod speaks of a debugger',
      reason: 'Nothing in the pod starts a debugger.',
      listed: false,
    };
  const { runtime, verdict, evidence, protocol, port, path, reason, takesMany } = best;
  return {
    runtime,
    verdict,
    ...(port === undefined ? {} : { port }),
    ...(path === undefined ? {} : { path }),
    ...(takesMany ? { takesMany: true } : {}),
    ports: protocol && port ? { [protocol]: port } : {},
    evidence,
    found: text!,
    ...(reason ? { reason } : {}),
    listed: isSetUp(best) || verdict === 'live',
  };
}

/** Whether somebody meant this container to be debugged. */
const isSetUp = ({ evidence }: Finding) => evidence === 'flags' || evidence === 'image-variables';

/** Flags that say more about the program than an annotation can. A misplaced flag (no protocol) changes nothing. */
const overrules = ({ verdict, protocol }: Finding) =>
  verdict === 'suspended' || verdict === 'crash' || (verdict === 'not-debuggable' && protocol !== undefined);

const unsupported = (runtime: string) =>
  runtime === ''
    ? 'The annotation names neither a runtime nor a debug protocol that is known.'
    : `No debugger is known for the runtime ${oneLine(runtime)}; its ports can still be forwarded.`;

const sentences = (...parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(' ') || undefined;

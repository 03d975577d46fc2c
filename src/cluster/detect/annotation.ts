import { oneLine } from '../../lib/plainText.ts';
import { listOf } from '../pods/lists.ts';
import type { Remark, Pod } from '../pods/pod.ts';
import { portNumberOf } from './options.ts';

/** Written by Skaffold on pod templates, or by hand (Skaffold `pkg/skaffold/debug/types`). */
export const ANNOTATION = 'debug.cloud.google.com/config';

const LONGEST_VALUE = 65_536;
const LONGEST_NAME = 63;
const LONGEST_TEXT = 1024;
const MOST_PORTS = 16;

/** What the annotation says about one container. */
export interface Annotated {
  readonly runtime: string;
  readonly artifact: string | undefined;
  readonly workingDir: string | undefined;
  readonly ports: Readonly<Record<string, number>>;
  /** What was refused, sentences for people. */
  readonly refused: readonly string[];
}

type Entries = Readonly<Record<string, unknown>>;

/** The annotation's entry for a container, if it has a usable one. */
export function annotationOf(pod: Pod, container: string): Annotated | undefined {
  const { entries } = read(pod);
  const entry = entries && Object.hasOwn(entries, container) ? entries[container] : undefined;
  return isObject(entry) ? decode(entry) : undefined;
}

/** What is wrong with a pod's annotation as a whole: no JSON, unknown containers, entries that are no objects. */
export function annotationProblems(pod: Pod): Remark[] {
  const { value, entries, problem } = read(pod);
  if (value === undefined) return [];
  const where = `Annotation ${ANNOTATION} of pod ${pod.metadata?.name ?? '(no name)'}`;
  const shown = oneLine(value, 200);
  const key = (kind: string) => JSON.stringify([kind, value.length, value.slice(0, LONGEST_TEXT)]);
  if (!entries) return [{ key: key('value'), text: `${where} is ignored: ${problem} (${shown}).` }];
  const { containers, initContainers, ephemeralContainers } = pod.spec ?? {};
  const all = [containers, initContainers, ephemeralContainers].flatMap(list => listOf(list).map(({ name }) => name));
  return Object.entries(entries).flatMap(([name, entry]) => {
    const label = oneLine(name, LONGEST_NAME);
    if (!all.includes(name))
      return [{ key: key(`name ${name}`), text: `${where} names ${label}, which is no container of the pod.` }];
    if (!isObject(entry))
      return [
        { key: key(`entry ${name}`), text: `${where} is ignored for ${label}: its entry is no object (${shown}).` },
      ];
    return [];
  });
}

function read(pod: Pod): { value?: string; entries?: Entries; problem?: string } {
  const value = pod.metadata?.annotations?.[ANNOTATION];
  if (typeof value !== 'string') return {};
  if (value.length > LONGEST_VALUE) return { value, problem: `it is longer than ${LONGEST_VALUE} characters` };
  try {
    const entries: unknown = JSON.parse(value);
    return isObject(entries) ? { value, entries } : { value, problem: 'it is no object of containers' };
  } catch {
    return { value, problem: 'it is no JSON' };
  }
}

/**
 * Since v1.4.0 `artifact`, `runtime`, `workingDir`, `ports`; in v1.3 `artifactImage`; until v1.2 flat, the ports beside
 * the runtime.
 */
function decode(entry: Entries): Annotated {
  const { runtime, artifact, artifactImage, workingDir, ports, ...siblings } = entry;
  const flat = Object.entries(siblings).filter(
    ([, port]) => typeof port === 'number' || (typeof port === 'string' && /^\d+$/.test(port)),
  );
  const given = [...flat, ...(isObject(ports) ? Object.entries(ports) : [])];
  const named = given.filter(([name]) => name.length > 0 && name.length <= LONGEST_NAME).slice(0, MOST_PORTS);
  const judged = named.map(([name, value]) => ({ name, value, port: portNumberOf(value) }));
  const refused = judged.filter(({ port }) => port === undefined);
  return {
    runtime: textOf(runtime, LONGEST_NAME) ?? '',
    artifact: textOf(artifact, LONGEST_TEXT) ?? textOf(artifactImage, LONGEST_TEXT),
    workingDir: textOf(workingDir, LONGEST_TEXT),
    ports: Object.fromEntries(judged.flatMap(({ name, port }) => (port === undefined ? [] : [[name, port]]))),
    refused: refused.map(
      ({ name, value }) =>
        `The annotation gives port ${oneLine(JSON.stringify(value) ?? 'undefined', 40)} for ${oneLine(name)}, which is no port number.`,
    ),
  };
}

const textOf = (value: unknown, longest: number): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;

const isObject = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

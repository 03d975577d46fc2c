import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UserError } from '../core/errors.ts';
import type { Pod } from '../cluster/pods/pod.ts';

/** What a file holds: pods, and how many objects of each other kind. */
export interface Manifests {
  readonly pods: readonly Pod[];
  readonly others: ReadonlyMap<string, number>;
}

/** Reads a YAML or JSON file (stdin without a file): Pod, PodList or List, several documents. Throws `UserError`. */
export async function manifestsFrom(file: string | undefined, signal: AbortSignal): Promise<Manifests> {
  const name = file ?? 'stdin';
  const documents = await parsed(await contentOf(file, signal), name);
  const objects = documents.flatMap(document => objectsIn(document));
  const pods = objects.filter(isPod);
  const others = new Map<string, number>();
  for (const object of objects) if (!isPod(object)) others.set(kindOf(object), (others.get(kindOf(object)) ?? 0) + 1);
  if (pods.length === 0) throw noPods(name, others);
  return { pods, others };
}

/** What was left out, a sentence for each kind. */
export const leftOut = ({ others }: Manifests): readonly string[] =>
  [...others].map(([kind, count]) => `Left out: ${count} ${kind}. Only pods are looked at, as the cluster runs them.`);

async function contentOf(file: string | undefined, signal: AbortSignal): Promise<string> {
  try {
    return file === undefined
      ? await text(addAbortSignal(signal, process.stdin))
      : await readFile(file, { encoding: 'utf8', signal });
  } catch (error) {
    if (signal.aborted) throw interrupted(file);
    throw new UserError('manifest-unreadable', `${file ?? 'stdin'} cannot be read.`, { cause: error });
  }
}

async function parsed(content: string, name: string): Promise<readonly unknown[]> {
  const { parseAllDocuments } = await import('../cluster/libraries.ts');
  try {
    return parseAllDocuments(content).map(document => {
      const [problem] = document.errors;
      if (problem) throw new Error(problem.message.split('\n')[0]); // the rest draws the place on several lines
      return document.toJS() as unknown;
    });
  } catch (error) {
    throw new UserError('manifest-broken', `${name} is no YAML or JSON.`, { cause: error });
  }
}

type Manifest = Readonly<{ kind?: unknown; items?: unknown; spec?: unknown }>;

/** The objects of a document, those of lists one by one; an empty document has none. */
function objectsIn(document: unknown): readonly Manifest[] {
  if (document === null || document === undefined) return [];
  if (typeof document !== 'object') return [{ kind: 'value that is no object' }];
  if (Array.isArray(document)) return document.flatMap(item => objectsIn(item));
  const { kind, items } = document as Manifest;
  if (!Array.isArray(items)) return [document];
  // The API server gives the items of a PodList no kind of their own.
  const ofItems = typeof kind === 'string' && kind !== 'List' ? { kind: kind.replace(/List$/, '') } : {};
  return items.flatMap(item => objectsIn(item)).map(item => ({ ...ofItems, ...item }));
}

const isPod = (object: Manifest): object is Pod =>
  object.kind === 'Pod' || (object.kind === undefined && typeof object.spec === 'object' && object.spec !== null);

const kindOf = ({ kind }: Manifest) => (typeof kind === 'string' && kind !== '' ? kind : 'object without a kind');

const noPods = (name: string, others: Manifests['others']) =>
  new UserError('manifest-without-pods', `${name} holds no pod.`, {
    ...(others.size > 0
      ? { cause: `it holds ${[...others].map(([kind, count]) => `${count} ${kind}`).join(', ')}` }
      : {}),
    remedy: 'Give a Pod, a PodList or a List, as "kubectl get pods -o yaml" prints it.',
  });

const interrupted = (file: string | undefined) =>
  new UserError('interrupted', `Interrupted while reading ${file ?? 'stdin'}.`);

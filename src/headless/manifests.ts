import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UserError } from '../core/errors.ts';
import type { Pod } from '../cluster/pods/pod.ts';

/** Pods of a YAML or JSON file (stdin without a file): Pod, PodList or List, several documents. Throws `UserError`. */
export async function podsFrom(file: string | undefined): Promise<readonly Pod[]> {
  const name = file ?? 'stdin';
  const documents = await parsed(await contentOf(file), name);
  const pods = documents.flatMap(document => podsOf(document));
  if (pods.length === 0) throw noPods(name);
  return pods;
}

async function contentOf(file: string | undefined): Promise<string> {
  try {
    return file === undefined ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new UserError('manifest-unreadable', `${file ?? 'stdin'} cannot be read.`, { cause: error });
  }
}

async function parsed(content: string, name: string): Promise<readonly unknown[]> {
  const { parseAllDocuments } = await import('../cluster/libraries.ts');
  try {
    return parseAllDocuments(content).map(document => {
      const [problem] = document.errors;
      if (problem) throw problem;
      return document.toJS() as unknown;
    });
  } catch (error) {
    throw new UserError('manifest-broken', `${name} is no YAML or JSON.`, { cause: error });
  }
}

function podsOf(document: unknown): readonly Pod[] {
  if (typeof document !== 'object' || document === null) return [];
  const { kind, items, spec } = document as { kind?: unknown; items?: unknown; spec?: unknown };
  if (Array.isArray(items)) return items.flatMap(item => podsOf(item));
  // Items of a PodList have no kind of their own.
  const isPod = kind === 'Pod' || (kind === undefined && typeof spec === 'object');
  return isPod ? [document] : [];
}

const noPods = (name: string) =>
  new UserError('manifest-without-pods', `${name} holds no pod.`, {
    remedy: 'Give a Pod, a PodList or a List, as "kubectl get pods -o yaml" prints it.',
  });

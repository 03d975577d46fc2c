import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import { type Entries, mergeEntries } from './entries.ts';
import type { Environment } from '../../lib/command.ts';
import { isMapping } from '../../lib/mapping.ts';
import { type KubeconfigPlace, kubeconfigFiles } from './files.ts';
import { inClusterEntries } from './inCluster.ts';
import { kubeconfigBroken, kubeconfigMissing, noKubeconfig } from './problems.ts';
import { readEntries } from './read.ts';

/** No kubeconfig comes near it; a file beyond it is something else. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A kubeconfig as kubectl sees it, fixed at the moment of loading. */
export interface Kubeconfig extends Entries {
  /** The environment that it was loaded with; proxies and credential plugins see it. */
  readonly env: Environment;
}

/** One context, for people to choose from. */
export interface ContextSummary {
  readonly name: string;
  readonly cluster: string;
  readonly namespace: string;
  /** URL of the API server; absent when the cluster's entry is missing or has none. */
  readonly server?: string;
  readonly isCurrent: boolean;
}

/**
 * Reads and merges the kubeconfig files, or takes the service account of the pod that this runs in.
 * Throws `UserError`: `no-kubeconfig`, `kubeconfig-missing` (the file that the user named), `kubeconfig-broken`.
 */
export async function loadKubeconfig(place: KubeconfigPlace): Promise<Kubeconfig> {
  const files = kubeconfigFiles(place);
  const read = (await Promise.all(files.map(readKubeconfig))).filter(entries => entries !== undefined);
  if (read.length === 0 && place.explicitFile) throw kubeconfigMissing(files[0]!);
  const merged = read.length > 0 ? mergeEntries(read) : await inClusterEntries(place.env);
  if (!merged) throw noKubeconfig(files);
  return { ...merged, env: place.env };
}

/** All contexts, also those that cannot be used, in the order of the files. */
export const contextsOf = ({ contexts, clusters, currentContext }: Entries): readonly ContextSummary[] =>
  [...contexts.values()].map(({ name, cluster, namespace = 'default' }) => {
    const server = clusters.get(cluster)?.server;
    return { name, cluster, namespace, ...(server ? { server } : {}), isCurrent: name === currentContext };
  });

async function readKubeconfig(file: string): Promise<Entries | undefined> {
  const text = await readText(file);
  if (text === undefined) return undefined;
  const { parseYaml } = await import('../libraries.ts');
  let content: unknown;
  try {
    // Aliases that multiply are refused by the parser's default limit; doubled keys are taken as kubectl takes them.
    content = parseYaml(text, { merge: true, uniqueKeys: false, logLevel: 'error' });
  } catch (error) {
    throw kubeconfigBroken(file, 'is not valid YAML', error);
  }
  if (content !== null && !isMapping(content)) throw kubeconfigBroken(file, 'is not a kubeconfig');
  return readEntries(content ?? {}, path.dirname(file));
}

async function readText(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file);
    if (found.isCharacterDevice()) return ''; // /dev/null: somebody wants no kubeconfig
    const problem = notReadable(found);
    if (problem) throw kubeconfigBroken(file, problem);
    return decode(await readFile(file));
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw kubeconfigBroken(file, 'cannot be read', error);
  }
}

function notReadable(found: Stats): string | undefined {
  if (found.isDirectory()) return 'is a directory';
  if (!found.isFile()) return 'is not a file';
  return found.size > MOST_BYTES ? 'is too large to be one' : undefined;
}

/** Windows PowerShell writes UTF-16 with `>`; kubectl reads it. */
const decode = (bytes: Buffer) =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);

import { decodePod } from '../cluster/pods/decoder.ts';
import type { Detect, Pod } from '../cluster/pods/pod.ts';
import { UserError } from '../core/errors.ts';
import { clusterId } from '../core/identity.ts';
import type { Container } from '../core/model.ts';
import { connect, type Connection } from './connect.ts';
import { manifestsFrom } from './manifests.ts';
import { type Parsed, required } from './options.ts';
import { podNamed } from './pods.ts';

/** Options of the commands that are about one pod; a file can stand for the cluster. */
type Options = Parsed<'pod' | 'container' | 'from'>;

/** Containers of the pod that is named, and the cluster that they are in, if they are in one. */
export interface PodContainers {
  readonly connection: Connection | undefined;
  /** All that are listed. */
  readonly all: readonly Container[];
  /** The one that is named, or all. */
  readonly containers: readonly Container[];
}

/** Throws `UserError` when there is no such pod, or nothing in it that `detect` lists. */
export async function containersOf(options: Options, detect: Detect, signal: AbortSignal): Promise<PodContainers> {
  const name = required(options, 'pod');
  const { from, container: wanted } = options.own;
  const connection = from === undefined ? await connect(options.common) : undefined;
  const pod = connection
    ? await podNamed(connection, name, signal)
    : await podInFile(from!, name, options.common.namespaces[0], signal);
  const all = decodePod(pod, { cluster: connection?.access.cluster ?? clusterId(from!, ''), detect });
  const containers = all.filter(({ container }) => wanted === undefined || container === wanted);
  if (containers.length === 0) throw nothingDebuggable(name, wanted);
  return { connection, all, containers };
}

async function podInFile(file: string, name: string, namespace: string | undefined, signal: AbortSignal): Promise<Pod> {
  const pod = (await manifestsFrom(file, signal)).pods.find(
    ({ metadata }) => metadata?.name === name && (namespace === undefined || metadata.namespace === namespace),
  );
  if (!pod) throw podNotInFile(name, file);
  return pod;
}

const nothingDebuggable = (pod: string, container: string | undefined) =>
  new UserError(
    'nothing-debuggable',
    `The pod "${pod}" has no ${container === undefined ? 'debuggable container' : `debuggable container "${container}"`}.`,
    { remedy: 'The command "detect" says what is found in each container.' },
  );

const podNotInFile = (pod: string, file: string) =>
  new UserError('pod-not-in-file', `${file} has no pod "${pod}" in that namespace.`);

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { detect } from '../cluster/detect/detect.ts';
import { decodePod } from '../cluster/pods/decoder.ts';
import type { Pod } from '../cluster/pods/pod.ts';
import { portUnknown } from '../core/attachProblems.ts';
import type { SourcePaths } from '../core/contracts.ts';
import { failureOf, failureText, UserError } from '../core/errors.ts';
import { clusterId } from '../core/identity.ts';
import type { Container } from '../core/model.ts';
import { configurationOf } from '../debuggers/configuration.ts';
import { localFiles } from '../debuggers/localFiles.ts';
import { recipes } from '../debuggers/recipes.ts';
import { sourcePaths } from '../debuggers/sourcePaths.ts';
import { connect } from './connect.ts';
import { manifestsFrom } from './manifests.ts';
import { type Parsed, parse, required, UsageError } from './options.ts';
import type { Output } from './output.ts';
import { podNamed } from './pods.ts';

type Options = Parsed<'pod' | 'container' | 'workspace' | 'from'>;

/**
 * `config --pod P [--container C] [--workspace D] [--from FILE]`: per container what a click would start. The debuggee
 * is not asked, so the local port is the one that a forward takes when it is free.
 */
export async function configCommand(args: readonly string[], output: Output, signal: AbortSignal): Promise<void> {
  const options = parse(args, ['pod', 'container', 'workspace', 'from']);
  const workspace = await folder(options.own.workspace ?? '.');
  const { pod, cluster } = await podOf(options, signal);
  const containers = decodePod(pod, { cluster, detect }).filter(({ container }) => isChosen(options, container));
  if (containers.length === 0) throw nothingDebuggable(required(options, 'pod'), options.own.container);
  const paths = sourcePaths(localFiles(() => [workspace]));
  for (const container of containers) output.data(await configData(container, paths));
}

async function folder(name: string): Promise<string> {
  const found = await stat(name).catch(() => undefined);
  if (!found?.isDirectory()) throw new UsageError(`--workspace takes a folder; ${name} is none`);
  return path.resolve(name);
}

const isChosen = ({ own }: Options, container: string) => own.container === undefined || own.container === container;

async function podOf(options: Options, signal: AbortSignal): Promise<{ pod: Pod; cluster: string }> {
  const name = required(options, 'pod');
  const { from } = options.own;
  if (from === undefined) {
    const connection = await connect(options.common);
    return { pod: await podNamed(connection, name, signal), cluster: connection.access.cluster };
  }
  const pod = await podInFile(from, name, options.common.namespaces[0], signal);
  return { pod, cluster: clusterId(from, '') };
}

/** A pod of a file. Throws `UserError` when it is not there. */
export async function podInFile(
  file: string,
  name: string,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<Pod> {
  const pod = (await manifestsFrom(file, signal)).pods.find(
    ({ metadata }) => metadata?.name === name && (namespace === undefined || metadata.namespace === namespace),
  );
  if (!pod) throw podNotInFile(name, file);
  return pod;
}

async function configData(container: Container, paths: SourcePaths): Promise<Record<string, unknown>> {
  const { namespace, pod, container: name, detection } = container;
  const at = { namespace, pod, container: name };
  try {
    const recipe = recipes.recipeFor(container);
    if (detection.port === undefined) throw portUnknown(name, detection.reason);
    const map = await paths.mapFor(container, {});
    const configuration = configurationOf(recipe, container, { host: '127.0.0.1', port: detection.port }, map);
    return { ...at, configuration, paths: map.sources };
  } catch (error) {
    return { ...at, configuration: null, paths: [], reason: failureText(failureOf(error)) };
  }
}

/** The pod has no such container. */
export const nothingDebuggable = (pod: string, container: string | undefined) =>
  new UserError(
    'nothing-debuggable',
    `The pod "${pod}" has no ${container === undefined ? 'debuggable container' : `debuggable container "${container}"`}.`,
    { remedy: 'The command "detect" says what is found in each container.' },
  );

const podNotInFile = (pod: string, file: string) =>
  new UserError('pod-not-in-file', `${file} has no pod "${pod}" in that namespace.`);

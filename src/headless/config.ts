import { notInside } from '../core/attachProblems.ts';
import { portOf } from '../core/attachTarget.ts';
import type { Recipes, SourcePaths } from '../core/contracts.ts';
import { failureOf, failureText } from '../core/errors.ts';
import type { Container } from '../core/model.ts';
import { configurationOf } from '../debuggers/configuration.ts';
import { localFiles } from '../debuggers/localFiles.ts';
import { sourcePaths } from '../debuggers/sourcePaths.ts';
import { artifactSources } from '../skaffold/artifactSources.ts';
import { readFromDisk } from '../skaffold/project/files.ts';
import { containersOf } from './containers.ts';
import { parse } from './options.ts';
import type { Output } from './output.ts';
import { recipesIn, workspaceOf } from './userRecipes.ts';

/**
 * `config --pod P [--container C] [--workspace D] [--from FILE]`: per container what a click would start in that workspace. The debuggee
 * is not asked, so the local port is the one that a forward takes when it is free.
 */
export async function configCommand(args: readonly string[], output: Output, signal: AbortSignal): Promise<void> {
  const options = parse(args, ['pod', 'container', 'workspace', 'from']);
  const workspace = await workspaceOf(options.own.workspace);
  const { recipes, detect } = await recipesIn(workspace, output);
  const { containers } = await containersOf(options, detect, signal);
  const files = localFiles(() => [workspace]);
  const paths = sourcePaths(files, artifactSources({ files, read: readFromDisk, runOf: () => undefined }));
  for (const container of containers) output.data(await configData(container, recipes, paths));
}

async function configData(
  container: Container,
  recipes: Recipes,
  paths: SourcePaths,
): Promise<Record<string, unknown>> {
  const { namespace, pod, container: name } = container;
  const at = { namespace, pod, container: name };
  try {
    const recipe = recipes.recipeFor(container);
    if (recipe.isInside) throw notInside();
    const port = portOf(container);
    const map = await paths.mapFor(container, {});
    const configuration = configurationOf(recipe, container, { host: '127.0.0.1', port }, map);
    return { ...at, configuration, paths: map.sources };
  } catch (error) {
    return { ...at, configuration: null, paths: [], reason: failureText(failureOf(error)) };
  }
}

import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { detect } from '../cluster/detect/detect.ts';
import { detectWith } from '../cluster/detect/overridden.ts';
import type { Detect } from '../cluster/pods/pod.ts';
import type { Recipes } from '../core/contracts.ts';
import { failureOf, failureText, rawText } from '../core/errors.ts';
import { recipesOf } from '../debuggers/recipes.ts';
import { readRecipes } from '../debuggers/recipeSetting.ts';
import { parseJsonc } from '../lib/jsonc.ts';
import { isMapping } from '../lib/mapping.ts';
import { UsageError } from './options.ts';
import type { Output } from './output.ts';

/** What the setting `breakpod.recipes` of a workspace makes of recipes and detection. */
export interface WorkspaceRecipes {
  readonly recipes: Recipes;
  readonly detect: Detect;
}

/** The folder of `--workspace`, absolute. Throws `UsageError`. */
export async function workspaceOf(name = '.'): Promise<string> {
  const found = await stat(name).catch(() => undefined);
  if (!found?.isDirectory()) throw new UsageError(`--workspace takes a folder; ${name} is none`);
  return path.resolve(name);
}

/** Reads `.vscode/settings.json` as VS Code does. What is wrong there is said and does not count. */
export async function recipesIn(workspace: string, output: Output): Promise<WorkspaceRecipes> {
  const { overrides, problems } = readRecipes(await settingIn(workspace, output));
  for (const problem of problems) output.say(failureText(failureOf(problem)));
  return {
    recipes: recipesOf({ overrides: () => overrides, hasType: () => false }),
    detect: detectWith(overrides, detect),
  };
}

async function settingIn(workspace: string, output: Output): Promise<unknown> {
  const file = path.join(workspace, '.vscode', 'settings.json');
  try {
    const settings = parseJsonc(await readFile(file, 'utf8'));
    return isMapping(settings) ? settings['breakpod.recipes'] : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') output.say(`${file} does not count: ${rawText(error)}`);
    return undefined;
  }
}

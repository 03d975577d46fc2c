import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { SkaffoldLaunch, SkaffoldProcess } from '../../../src/core/runs.ts';
import { startSkaffold, type StartOptions } from '../../../src/skaffold/process/startSkaffold.ts';
import { installSkaffold, type ScriptedSkaffold } from '../../support/scriptedSkaffold/install.ts';
import type { Scenario } from '../../support/scriptedSkaffold/scenario.ts';
import { temporaryDirectory } from '../demo/support.ts';

/** The guard, run from source. */
export const guard = fileURLToPath(new URL('../../../src/skaffold/guard/main.ts', import.meta.url));

/** Why these tests cannot run. */
export const withoutScript = process.platform === 'win32' ? 'a program that is a script needs #!' : false;

/** A project with a scripted Skaffold, and the launch of it. */
export function project(t: TestContext, scenario: Omit<Scenario, 'record'> = {}) {
  const folder = temporaryDirectory(end => t.after(end));
  const script = installSkaffold(folder, scenario);
  const file = join(folder, 'skaffold.yaml');
  writeFileSync(file, 'apiVersion: skaffold/v4beta11\nkind: Config\n');
  const launch: SkaffoldLaunch = {
    ...{ name: 'shop', file, binary: script.binary, env: script.env },
    ...{ modules: [], profiles: [], args: [], portForward: [], cleanUp: true },
  };
  return { folder, script, launch };
}

/** A Skaffold that is started, and all that it has printed so far. */
export interface Launched {
  readonly folder: string;
  readonly script: ScriptedSkaffold;
  readonly skaffold: SkaffoldProcess;
  readonly printed: () => string;
}

/** Starts a scripted Skaffold, which ends with the test. */
export async function launched(
  t: TestContext,
  scenario: Omit<Scenario, 'record'> = {},
  wishes: Partial<SkaffoldLaunch> = {},
  options: Partial<StartOptions> = {},
): Promise<Launched> {
  const { folder, script, launch } = project(t, scenario);
  const wanted = { ...launch, ...wishes, env: { ...launch.env, ...wishes.env } };
  const skaffold = await startSkaffold(wanted, new AbortController().signal, { guard, ...options });
  t.after(async () => {
    skaffold.kill();
    await skaffold.ended;
  });
  let printed = '';
  skaffold.onOutput(({ text }) => (printed += text));
  return { folder, script, skaffold, printed: () => printed };
}

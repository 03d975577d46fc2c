import type { SkaffoldControl } from '../../skaffold/control.ts';

const triggers = ['build', 'sync', 'deploy'] as const;

/** What Skaffold does by itself when a file changes. */
export type Trigger = (typeof triggers)[number];

/** Turns them on or off, all of them or those named; names those that were not so already. Throws `UserError`. */
export async function switchTriggers(
  control: SkaffoldControl,
  on: boolean,
  which: readonly Trigger[] = triggers,
): Promise<readonly Trigger[]> {
  const calls = { build: control.autoBuild, sync: control.autoSync, deploy: control.autoDeploy };
  const changed: Trigger[] = [];
  for (const trigger of which) if ((await calls[trigger](on)) === 'done') changed.push(trigger);
  return changed;
}

import { listingAll } from '../cluster/detect/listingAll.ts';
import { readLastWords } from '../cluster/pods/lastWords.ts';
import { openForwards } from '../cluster/forward/openForwards.ts';
import type { Recipes } from '../core/contracts.ts';
import { failureOf } from '../core/errors.ts';
import { broken, explain, type Finding, type Findings, unknown } from '../core/explain/explain.ts';
import { crashedRun } from '../core/explain/lastWords.ts';
import { reach } from '../core/explain/reach.ts';
import type { Container } from '../core/model.ts';
import { empty, reduce } from '../core/reducer.ts';
import { rowAt } from '../core/selectors.ts';
import type { Connection } from './connect.ts';
import { containersOf } from './containers.ts';
import { parse } from './options.ts';
import type { Output } from './output.ts';
import { recipesIn, workspaceOf } from './userRecipes.ts';

const source = 'pods';

/** `explain --pod P [--container C] [--workspace D] [--from FILE]`: per container the chain to a breakpoint. No debugger is started. */
export async function explainCommand(args: readonly string[], output: Output, signal: AbortSignal): Promise<void> {
  const options = parse(args, ['pod', 'container', 'workspace', 'from']);
  const { recipes, detect } = await recipesIn(await workspaceOf(options.own.workspace), output);
  const { connection, all, containers } = await containersOf(options, listingAll(detect), signal);
  const { state } = reduce(empty, { kind: 'snapshot', source, containers: all });
  for (const container of containers) {
    const row = rowAt(state, container.slot)!;
    const tried =
      connection && row.isAttachable ? await tryForward(container, recipes, connection, output, signal) : {};
    const run = crashedRun(container);
    const words = connection && run ? await readLastWords(connection.api, container, run, signal) : undefined;
    const said = words ? reduce(state, { kind: 'last-words', slot: container.slot, words }).state : state;
    const steps = explain(said, row, { debugger: debuggerFinding(container, recipes), ...tried });
    output.data({ namespace: container.namespace, pod: container.pod, container: container.container, steps });
  }
}

function debuggerFinding(container: Container, recipes: Recipes): Finding {
  try {
    const { label, extensions } = recipes.recipeFor(container);
    const needs = extensions.length > 0 ? `needs ${extensions.join(', ')}` : 'comes with VS Code';
    return unknown(`The ${label} ${needs}; only VS Code knows what is installed.`);
  } catch (error) {
    return broken(failureOf(error), 'Choose a debugger that fits.');
  }
}

/** How far an attach would come. */
async function tryForward(
  container: Container,
  recipes: Recipes,
  { access }: Connection,
  output: Output,
  signal: AbortSignal,
): Promise<Findings> {
  const forwards = openForwards({ accessOf: () => access, log: text => output.say(text) });
  try {
    return await reach({ forwards, recipes }, container, signal);
  } finally {
    forwards.dispose();
  }
}

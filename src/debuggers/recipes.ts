import type { Fields, LocalAddress, PathMap, Recipe, Recipes } from '../core/contracts.ts';
import type { Container, Detection, KnownRuntime } from '../core/model.ts';
import { overrideFor, type RecipeOverride, type RecipeOverrides } from '../core/recipeOverrides.ts';
import { filled } from './placeholders.ts';
import { fieldsMissing, noRuntime, pydevdUnsupported, unknownRuntime } from './problems.ts';
import { later, otherDebuggers, recipeTable } from './recipeTable.ts';

/** What the choice of a recipe depends on, beside the container. */
export interface RecipeSources {
  /** What the user says; it always wins. */
  overrides(): RecipeOverrides;
  /** Whether an installed extension brings a debug type. */
  hasType(type: string): boolean;
}

/** The debuggers that Breakpod knows, and those of the user. */
export const recipesOf = ({ overrides, hasType }: RecipeSources): Recipes => ({
  recipeFor(container, wishes = {}) {
    const { type: wished, request: _, name: __, ...fields } = wishes;
    const own = overrideFor(overrides(), container.detection) ?? {};
    const type = typeof wished === 'string' ? wished : own.type;
    const known = knownFor(container, type, hasType);
    return withFields(withExtension(known, own), { ...own.configuration, ...fields });
  },
});

/** The debuggers that Breakpod knows, as if none were installed. */
export const recipes: Recipes = recipesOf({ overrides: () => new Map(), hasType: () => false });

/** The row of the table, or another debugger where the user names its type. */
function knownFor(container: Container, type: string | undefined, hasType: (type: string) => boolean): Recipe {
  if (type === undefined) return installedOf(rowFor(container), hasType);
  const { runtime = 'unknown' } = container.detection;
  const rows = Object.hasOwn(recipeTable, runtime) ? allOf(recipeTable[runtime as KnownRuntime]) : [];
  const row = rows.find(other => other.type === type);
  // Its readiness goes by what listens, which another debugger does not change.
  return row ?? (rows[0] ? { ...ownRecipe(runtime, type), ready: rows[0].ready } : ownRecipe(runtime, type));
}

const allOf = (row: Recipe): readonly Recipe[] => [row, ...(otherDebuggers[row.runtime as KnownRuntime] ?? [])];

const installedOf = (row: Recipe, hasType: (type: string) => boolean): Recipe =>
  allOf(row).find(({ type }) => hasType(type)) ?? row;

/** A debugger that Breakpod does not know. */
const ownRecipe = (runtime: string, type: string): Recipe => ({
  runtime,
  type,
  label: `debugger "${type}"`,
  extensions: [],
  ports: [],
  ready: later('ownReady'),
  attach: () => ({}),
});

/** The row of the table. Throws `UserError` that says why there is none and what to do. */
function rowFor({ container, detection }: Container): Recipe {
  const { runtime, ports } = detection;
  if (runtime === undefined) throw noRuntime(container, detection.reason);
  const row = Object.hasOwn(recipeTable, runtime) ? recipeTable[runtime as KnownRuntime] : undefined;
  if (!row) throw unknownRuntime(container, runtime);
  if ('pydevd' in ports && !row.ports.some(name => name in ports)) throw pydevdUnsupported(container);
  return row;
}

const withExtension = (recipe: Recipe, { extension }: RecipeOverride): Recipe =>
  extension === undefined ? recipe : { ...recipe, extensions: [extension] };

/** The user's fields go before those of the recipe, with what was found out filled in. */
function withFields(recipe: Recipe, fields: Fields): Recipe {
  if (Object.keys(fields).length === 0 && !recipe.required) return recipe;
  return {
    ...recipe,
    attach(at: LocalAddress, paths: PathMap, detection: Detection) {
      const all = { ...recipe.attach(at, paths, detection), ...filled(fields, at, paths) };
      const missing = (recipe.required ?? []).filter(name => !(name in all));
      if (missing.length > 0) throw fieldsMissing(recipe, missing);
      return all;
    },
  };
}

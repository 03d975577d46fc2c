import type { DebugSessions, Recipes } from '../core/contracts.ts';
import { failureOf } from '../core/errors.ts';
import { broken, type Findings, yes } from '../core/explain/explain.ts';
import type { Container } from '../core/model.ts';

/** What only this window knows of the chain to a container: whether the debugger is there that fits it. */
export function findingsOf(container: Container, recipes: Recipes, sessions: Pick<DebugSessions, 'check'>): Findings {
  try {
    const recipe = recipes.recipeFor(container);
    sessions.check(recipe);
    return { debugger: yes(`The ${recipe.label} is installed.`) };
  } catch (error) {
    return { debugger: broken(failureOf(error), 'Install a debugger that fits.') };
  }
}

import type { UserError } from '../core/errors.ts';
import type { RecipeOverrides } from '../core/recipeOverrides.ts';
import { readRecipes } from '../debuggers/recipeSetting.ts';

/** The user's own recipes, read when somebody wants them; what is wrong with them is told once per change. */
export class UserRecipes {
  private known: RecipeOverrides | undefined;
  private readonly read: () => unknown;
  private readonly tell: (problem: UserError) => void;

  /** `read` gives the value of the setting. */
  constructor(read: () => unknown, tell: (problem: UserError) => void) {
    this.read = read;
    this.tell = tell;
  }

  readonly overrides = (): RecipeOverrides => {
    if (this.known) return this.known;
    const { overrides, problems } = readRecipes(this.read());
    this.known = overrides;
    problems.forEach(this.tell);
    return overrides;
  };

  /** The setting has changed. */
  forget(): void {
    this.known = undefined;
  }
}

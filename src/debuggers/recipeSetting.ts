import type { Fields } from '../core/contracts.ts';
import { UserError } from '../core/errors.ts';
import type { RecipeOverride, RecipeOverrides } from '../core/recipeOverrides.ts';
import { isMapping } from '../lib/mapping.ts';
import { oneLine } from '../lib/plainText.ts';
import { recipesSetting } from './problems.ts';

/** What the setting `breakpod.recipes` says, and what is wrong with it: a bad entry does not count, all others do. */
export interface ReadRecipes {
  readonly overrides: RecipeOverrides;
  readonly problems: readonly UserError[];
}

/** Reads the value of the setting; anything may stand there. */
export function readRecipes(value: unknown): ReadRecipes {
  const overrides = new Map<string, RecipeOverride>();
  if (value === undefined || value === null) return { overrides, problems: [] };
  if (!isMapping(value)) return { overrides, problems: [wrongEntry(undefined, 'it must be an object')] };
  const problems: UserError[] = [];
  for (const [key, entry] of Object.entries(value)) {
    const wrong = isMapping(entry) ? wrongIn(entry) : 'it must be an object';
    if (wrong === undefined) overrides.set(key, entry as RecipeOverride);
    else problems.push(wrongEntry(key, wrong));
  }
  return { overrides, problems };
}

interface Rule {
  fits(value: unknown): boolean;
  readonly words: string;
}

/** Breakpod gives these itself. */
const GIVEN = ['type', 'request', 'name'];

const rules: Readonly<Record<keyof RecipeOverride, Rule>> = {
  type: { fits: value => typeof value === 'string' && value.trim() !== '', words: 'a debug type, as in launch.json' },
  extension: {
    fits: value => typeof value === 'string' && /^[\w-]+\.[\w-]+$/.test(value),
    words: 'the id of an extension ("publisher.name")',
  },
  configuration: {
    fits: value => isMapping(value) && !GIVEN.some(name => name in value),
    words: `an object without ${GIVEN.map(name => `"${name}"`).join(', ')}`,
  },
  port: {
    fits: value => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 65_535,
    words: 'a number from 1 to 65535',
  },
};

/** What is wrong with an entry, in words. */
function wrongIn(entry: Fields): string | undefined {
  for (const [name, value] of Object.entries(entry)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof RecipeOverride] : undefined;
    if (!rule) return `there is no "${oneLine(name, 40)}"; it takes ${Object.keys(rules).join(', ')}`;
    if (!rule.fits(value)) return `"${name}" must be ${rule.words}, not ${oneLine(JSON.stringify(value) ?? '', 80)}`;
  }
  return undefined;
}

const wrongEntry = (key: string | undefined, cause: string): UserError => {
  const place = key === undefined ? '' : ` at "${oneLine(key, 63)}"`;
  return new UserError(
    'recipe-setting-wrong',
    `The setting breakpod.recipes is wrong${place} and does not count there.`,
    {
      cause,
      remedy: 'Correct it; everything else goes on.',
      actions: [recipesSetting],
    },
  );
};

import type { Recipe } from '../core/contracts.ts';
import { type Action, UserError } from '../core/errors.ts';
import { fields } from './fields.ts';

/** An installed and enabled extension, as far as its manifest tells what it can debug. */
export interface Installed {
  readonly id: string;
  readonly packageJSON: unknown;
}

/**
 * Throws `UserError` when no installed extension brings the recipe's debug type, or when one of the extensions that the
 * recipe knows does and another that it needs is absent. An extension that the recipe does not know is taken at its word.
 */
export function checkDebugger(recipe: Recipe, installed: readonly Installed[]): void {
  const isInstalled = (id: string) => installed.some(other => sameId(other.id, id));
  const missing = recipe.extensions.filter(id => !isInstalled(id));
  const providers = installed.filter(({ packageJSON }) => typesOf(packageJSON).includes(recipe.type));
  const isKnown = ({ id }: Installed) => recipe.extensions.some(other => sameId(other, id));
  if (providers.length === 0) throw debuggerMissing(recipe, missing);
  if (providers.every(isKnown) && missing.length > 0) throw debuggerMissing(recipe, missing);
}

/** Debug types that an extension contributes; `'*'` is no type, and a deprecated one is only an alias. */
function typesOf(manifest: unknown): readonly string[] {
  const { debuggers } = fields(fields(manifest)['contributes']);
  if (!Array.isArray(debuggers)) return [];
  return debuggers
    .map(entry => fields(entry)['type'])
    .filter(type => typeof type === 'string' && type !== '*') as string[];
}

/** Open VSX and the Marketplace spell some ids in different case. */
const sameId = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

const debuggerMissing = ({ type, label }: Recipe, missing: readonly string[]): UserError =>
  new UserError('debugger-missing', `The ${label} is needed for this container and is not installed.`, {
    cause: missing.length > 0 ? `missing: ${missing.join(', ')}` : `no extension brings the debug type "${type}"`,
    remedy:
      missing.length > 0
        ? 'Install it, or enable it if it is disabled, then attach again.'
        : 'Enable the extension that brings it, then attach again.',
    actions: missing.map((id): Action => ({ kind: 'installExtension', label: `Install ${id}`, id })),
  });

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
 * `isQuiet`: the user does not want to be asked again.
 */
export function checkDebugger(recipe: Recipe, installed: readonly Installed[], isQuiet = false): void {
  const isInstalled = (id: string) => installed.some(other => sameId(other.id, id));
  const missing = recipe.extensions.filter(id => !isInstalled(id));
  const providers = installed.filter(({ packageJSON }) => typesOf(packageJSON).includes(recipe.type));
  const isKnown = ({ id }: Installed) => recipe.extensions.some(other => sameId(other, id));
  if (providers.length === 0) throw debuggerMissing(recipe, missing, isQuiet);
  if (providers.every(isKnown) && missing.length > 0) throw debuggerMissing(recipe, missing, isQuiet);
}

/** Whether an installed extension brings a debug type. */
export const bringsType = (type: string, installed: readonly Installed[]): boolean =>
  installed.some(({ packageJSON }) => typesOf(packageJSON).includes(type));

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

/** Code of the failure when the user does not want to be asked: the row says it, no message does. */
export const QUIETLY_MISSING = 'debugger-missing-quiet';

const debuggerMissing = ({ type, label }: Recipe, missing: readonly string[], isQuiet: boolean): UserError =>
  new UserError(
    isQuiet ? QUIETLY_MISSING : 'debugger-missing',
    `The ${label} is needed for this container and is not installed.`,
    {
      cause: missing.length > 0 ? `missing: ${missing.join(', ')}` : `no extension brings the debug type "${type}"`,
      remedy:
        missing.length > 0
          ? 'Install it, or enable it if it is disabled, then attach again.'
          : 'Enable the extension that brings it, then attach again.',
      actions: [
        ...missing.map((id): Action => ({ kind: 'installExtension', label: `Install ${id}`, id })),
        ...missing.slice(0, 1).map((id): Action => ({ kind: 'showExtension', label: 'Show', id })),
        { kind: 'dontAskAgain', label: "Don't Ask Again", key: type },
      ],
    },
  );

import type { Fields } from '../core/contracts.ts';
import { UserError } from '../core/errors.ts';
import { parseJsonc, withItem } from '../lib/jsonc.ts';
import { mappingsAt, isMapping } from '../lib/mapping.ts';

const list = 'configurations';

/**
 * The text of a launch.json with one more configuration, all else as it was; of a new file where there is none. Paths in the
 * workspace folder are written relative to it. Throws `UserError` for a file that VS Code would not read either.
 */
export function launchText(
  text: string | undefined,
  configuration: Readonly<{ name: string }> & Fields,
  { folder, file }: Readonly<{ folder: string; file: string }>,
): string {
  const before = text?.trim() ? text : `{\n  "version": "0.2.0",\n  "${list}": []\n}\n`;
  const names = namesIn(before, file);
  const written = inFolder({ ...configuration, name: freeName(configuration.name, names) }, folder);
  const after = withItem(before, list, written);
  if (after === undefined) throw launchBroken(file, `it has no list "${list}"`);
  return after;
}

function namesIn(text: string, file: string): readonly unknown[] {
  try {
    const value = parseJsonc(text);
    return isMapping(value) ? mappingsAt(value, list).map(({ name }) => name) : [];
  } catch (error) {
    throw launchBroken(file, error);
  }
}

/** VS Code starts the first of those with one name. */
function freeName(name: string, taken: readonly unknown[]): string {
  let free = name;
  for (let i = 2; taken.includes(free); i++) free = `${name} ${i}`;
  return free;
}

/** Others have the folder elsewhere. */
function inFolder(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return value.replace(startOf(folder), '${workspaceFolder}');
  if (Array.isArray(value)) return value.map(item => inFolder(item, folder));
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inFolder(inner, folder)]));
}

/** The folder at the start of a path, with either kind of slash. */
function startOf(folder: string): RegExp {
  const parts = folder.split(/[/\\]/).map(part => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(String.raw`^${parts.join(String.raw`[/\\]`)}(?=[/\\]|$)`);
}

const launchBroken = (file: string, cause: unknown): UserError =>
  new UserError('launch-file-broken', `${file} cannot be added to.`, {
    cause,
    remedy: `Correct the file: an object with a list "${list}".`,
  });

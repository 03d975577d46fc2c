import { join } from 'node:path';

/** What is in a directory. */
export type Listing = readonly Readonly<{ name: string; isDirectory: boolean }>[];

/** How far a walk goes: levels below its start, and directories in all. */
export type WalkLimits = Readonly<{ deepest: number; most: number }>;

/** Directories that hold nothing of the user's own. */
const SKIPPED = /^(?:\..*|node_modules|vendor|dist|build|out|target|bin|venv|__pycache__)$/;

/** So far a project is looked for. */
export const projectLimits: WalkLimits = { deepest: 4, most: 1500 };

/** Goes through directories level by level, those of a project's own alone. */
export async function* walk(
  roots: readonly string[],
  list: (dir: string) => Promise<Listing>,
  { deepest, most }: WalkLimits,
): AsyncGenerator<{ dir: string; entries: Listing }> {
  let level = [...roots];
  let left = most;
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const next: string[] = [];
    for (const dir of level.slice(0, left)) {
      left--;
      const entries = await list(dir);
      yield { dir, entries };
      next.push(...entries.filter(e => e.isDirectory && !SKIPPED.test(e.name)).map(({ name }) => join(dir, name)));
    }
    level = next;
  }
}

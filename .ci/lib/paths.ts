import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path inside the project, absolute. */
export const inRoot = (...parts: string[]): string => join(root, ...parts);

/** Everything that is built goes here; Git does not see it. */
export const out: string = inRoot('out');

/** The packed extension. */
export const vsixFile: string = join(out, 'breakpod.vsix');

import fs from 'node:fs/promises';

/** Reads a text file. Throws what `node:fs` throws: `ENOENT` when it is absent, `EISDIR` for a folder. */
export type ReadFile = (file: string) => Promise<string>;

/** Files of this disk. */
export const readFromDisk: ReadFile = file => fs.readFile(file, 'utf8');

/** The code of an error of `node:fs`. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

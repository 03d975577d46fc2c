import { readFileSync } from 'node:fs';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** Of Breakpod, from its manifest. */
export const version: string = (manifest as { version: string }).version;

import type { Plugin } from 'esbuild';

/** Leaves out the parts of third-party libraries that no code path of ours reaches. None so far. */
export const stubs: Plugin = { name: 'stubs', setup: () => undefined };

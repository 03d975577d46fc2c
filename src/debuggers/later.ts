/**
 * What an attach needs beside the recipe, in one place that is only ever imported by `await import('…/later.ts')`: the build
 * makes it a bundle of its own, which loads with the first attach.
 */
export { releaseDlv } from './delve.ts';
export { netcoreInside } from './netcore/inside.ts';
export { openInspector } from './onDemand/openInspector.ts';
export { processText } from './onDemand/programs.ts';
export { bunReady } from './readiness/bun.ts';
export { debugpyReady } from './readiness/debugpy.ts';
export { dlvReady } from './readiness/dlv.ts';
export { inspectorReady } from './readiness/inspector.ts';
export { jdwpReady } from './readiness/jdwp.ts';
export { gdbserverReady, ownReady, rdbgReady } from './readiness/keptListeners.ts';
export { sourcePaths } from './sourcePaths.ts';

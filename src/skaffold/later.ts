/**
 * What a window does with Skaffold, in one place that it only ever imports by `await import('…/later.ts')`: the build makes
 * it a bundle of its own, which loads when somebody looks for a Skaffold, starts one or opens its project.
 */
export { readApplicationLog } from './applicationLog.ts';
export { artifactSources } from './artifactSources.ts';
export { controlOf, skaffolds } from './control.ts';
export { findSkaffolds } from './discovery/findSkaffolds.ts';
export { watchSkaffolds } from './discovery/watchSkaffolds.ts';
export { followSkaffold } from './follow.ts';
export { preflight } from './preflight/preflight.ts';
export { startSkaffold } from './process/startSkaffold.ts';
export { readFromDisk } from './project/files.ts';
export { findProjects } from './project/roots.ts';

import type { SourceName } from '../core/model.ts';

/** Name of the source that reads the Skaffold at this port. */
export const skaffoldSourceName = (port: number): SourceName => `skaffold:${port}`;

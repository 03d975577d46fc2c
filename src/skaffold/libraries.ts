/**
 * gRPC with the code that is generated for it, and YAML, in one place that is only ever imported by `await import('./libraries.ts')`:
 * the build makes it a bundle of its own, which loads when there is a Skaffold or a project of it to read.
 */
export { Client, credentials } from '@grpc/grpc-js';
export {
  BuilderType,
  BuildType,
  ClusterType,
  DeployerType,
  LogLevel,
  RenderType,
  StatusCode,
  TesterType,
} from './gen/enums.ts';
export { SuggestionCode } from './gen/suggestions.ts';
export { SkaffoldServiceService } from './gen/v1.ts';
export { SkaffoldV2ServiceService } from './gen/v2.ts';
export { type Document, isCollection, LineCounter, parseAllDocuments, visit } from 'yaml';

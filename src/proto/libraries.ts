/**
 * gRPC with the code that is generated for it, in one place that is only ever imported by `await import('…/libraries.ts')`: the
 * build makes it a bundle of its own, which loads when there is a Skaffold to read or somebody to serve.
 */
export { Client, credentials, Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
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
export { LogEntry, SkaffoldServiceService, State } from './gen/v1.ts';
export { SkaffoldV2ServiceService } from './gen/v2.ts';

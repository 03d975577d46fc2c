/** Status codes of gRPC (grpc: doc/statuscodes.md). */
export const codes = Object.freeze({
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
});

/** Commands of Skaffold's first service. */
export type ControlMethod = 'execute' | 'autoBuild' | 'autoSync' | 'autoDeploy';

/** A Kubernetes `Status` object, the body of every refusal. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: Record<string, unknown>;
  code?: number;
}

/** A refusal, thrown anywhere while a request is being served and answered in one place. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status;
  readonly code: number;

  constructor(code: number, reason: string, message: string, details?: Record<string, unknown>) {
    super(message);
    this.code = code;
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason,
      ...(details ? { details } : {}),
      code,
    };
  }
}

// The texts are those of apimachinery's `pkg/api/errors/errors.go` and apiserver's `pkg/endpoints`.

export const unauthorized = () => new StatusError(401, 'Unauthorized', 'Unauthorized');

export const notFound = (resource: string, name: string) =>
  new StatusError(404, 'NotFound', `${resource} "${name}" not found`, { name, kind: resource });

export const noSuchResource = () =>
  new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});

export const methodNotAllowed = () =>
  new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

export const notAcceptable = () =>
  new StatusError(406, 'NotAcceptable', '406: Not Acceptable\n\nAvailable representations: application/json', {});

export const requestTooLarge = () => new StatusError(413, 'RequestEntityTooLarge', 'Request entity too large');

export const unsupportedMediaType = () =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    'the body of the request was in an unknown format - accepted media types include: application/json',
  );

export const badRequest = (message: string) => new StatusError(400, 'BadRequest', message);

/** For a subresource's errors that the kubelet reports. */
export const internalError = (message: string) =>
  new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

export const conflict = (kind: string, name: string, message: string) =>
  new StatusError(409, 'Conflict', `Operation cannot be fulfilled on ${kind} "${name}": ${message}`, { name, kind });

export const expired = (message: string) => new StatusError(410, 'Expired', message);

/** One field of the query is wrong; the words of `ListOptions` validation. */
export function invalidOptions(field: string, detail: string): StatusError {
  const cause = `${field}: Forbidden: ${detail}`;
  return new StatusError(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${cause}`, {
    group: 'meta.k8s.io',
    kind: 'ListOptions',
    causes: [{ reason: 'FieldValueForbidden', message: `Forbidden: ${detail}`, field }],
  });
}

/** A version that does not exist yet; the client is to try again in a second. */
export function tooLargeVersion(asked: number, current: number): StatusError {
  const message = `Too large resource version: ${asked}, current: ${current}`;
  return new StatusError(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

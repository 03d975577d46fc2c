import { rawText, UserError } from '../../core/errors.ts';
import { DeadlineError } from '../../lib/deadline.ts';
import { type Access, ApiError } from '../access.ts';

/**
 * Whatever a request to the API server of `access` threw, for people: codes `login-refused` (401), `forbidden` (403),
 * `api-refused` (other answers), `api-unreachable`, `certificate-untrusted`, `certificate-refused` (the client's),
 * `tls-failed`, `api-failed` (anything else). A `UserError` stays as it is.
 */
export function toUserError(error: unknown, access: Access): UserError {
  if (error instanceof UserError) return error;
  if (error instanceof ApiError) return answerProblem(error, access);
  const code = codeOf(error);
  const make = CERTIFICATE.has(code) ? certificateUntrusted : CONNECTION.has(code) ? unreachable : tlsProblem(code);
  return make(error, access);
}

/** The API server cannot be reached. */
export function unreachable(cause: unknown, access: Access): UserError {
  const by = access.proxy ? ` through the proxy ${access.proxy.origin}` : '';
  return new UserError('api-unreachable', `The API server ${access.server.origin} cannot be reached${by}.`, {
    cause,
    remedy: CONNECTION.get(codeOf(cause)) ?? 'Check that the cluster runs, and the network or VPN.',
  });
}

function answerProblem(error: ApiError, access: Access): UserError {
  const { context, server } = access;
  if (error.status === 401)
    return new UserError('login-refused', `The API server ${server.origin} refuses the login of "${context}".`, {
      cause: error,
      remedy: 'Log in again, for example by "kubectl get pods" in a terminal.',
    });
  if (error.status === 403) return forbidden(error, access);
  return new UserError('api-refused', `The API server ${server.origin} refuses a request (HTTP ${error.status}).`, {
    cause: error,
    remedy: ANSWERS.get(error.status) ?? (error.status >= 500 ? 'Check the health of the cluster.' : undefined),
  });
}

/** The words of Kubernetes' authorizers: `… cannot list resource "pods" in API group "" in the namespace "shop"`. */
const MISSING_RIGHT =
  /cannot (?<verb>\S+) resource "(?<resource>[^"]+)"(?: in API group "[^"]*")?(?: in the namespace "(?<namespace>[^"]*)")?/;

function forbidden(error: ApiError, { context }: Access): UserError {
  const { verb, resource, namespace } = MISSING_RIGHT.exec(error.message)?.groups ?? {};
  const where = namespace ? `in the namespace "${namespace}"` : 'in the whole cluster';
  const what = verb ? `may not ${verb} ${resource} ${where}` : 'has no right to do this';
  return new UserError('forbidden', `The login of "${context}" ${what}.`, {
    cause: error,
    remedy: verb
      ? `Ask for a role with the verb "${verb}" on "${resource}"${namespace ? '' : ', or choose a namespace where it is allowed'}.`
      : 'Ask for the right that is missing.',
  });
}

function certificateUntrusted(cause: unknown, { context, server }: Access): UserError {
  const code = codeOf(cause);
  return new UserError('certificate-untrusted', `The certificate of the API server ${server.origin} is not trusted.`, {
    cause: rawText(cause).includes(code) ? cause : `${rawText(cause)} (${code})`,
    remedy: `${CERTIFICATE.get(code)!} The context is "${context}".`,
  });
}

function tlsProblem(code: string): (cause: unknown, access: Access) => UserError {
  if (
    /ALERT_(BAD_|UNKNOWN_|UNSUPPORTED_|NO_)?C(ERTIFICATE|A)|CERTIFICATE_(REQUIRED|EXPIRED|REVOKED|UNKNOWN)/.test(code)
  )
    return certificateRefused;
  if (code === 'ERR_INVALID_CHAR') return loginUnsendable;
  if (/^ERR_OSSL|^ERR_TLS|KEY_VALUES_MISMATCH|PEM_/.test(code)) return clientCertificateBroken;
  return /^(EPROTO$|ERR_SSL|HPE_)/.test(code) ? notSpeaking : failed;
}

const certificateRefused = (cause: unknown, { context, server }: Access) =>
  new UserError(
    'certificate-refused',
    `The API server ${server.origin} refuses the client certificate of "${context}".`,
    {
      cause,
      remedy: 'It may have expired: renew the login of the cluster.',
    },
  );

const clientCertificateBroken = (cause: unknown, { context }: Access) =>
  new UserError('login-unreadable', `A certificate or key of the context "${context}" cannot be used.`, {
    cause,
    remedy: 'Correct the kubeconfig, or renew the login of the cluster.',
  });

const loginUnsendable = (cause: unknown, { context }: Access) =>
  new UserError(
    'login-unreadable',
    `The token or a name in the login of "${context}" has characters that cannot be sent.`,
    {
      cause,
      remedy: 'Correct the kubeconfig (line breaks, quotes that were copied along), or renew the login of the cluster.',
    },
  );

const notSpeaking = (cause: unknown, { server }: Access) =>
  new UserError('tls-failed', `What answers at ${server.origin} does not speak ${server.protocol.slice(0, -1)}.`, {
    cause,
    remedy: 'Check "server" in the kubeconfig: protocol and port.',
  });

const failed = (cause: unknown, { server }: Access) =>
  new UserError('api-failed', `A request to the API server ${server.origin} failed.`, { cause });

/** Also of an error that carries another: Node's connection attempts to several addresses fail together. */
function codeOf(error: unknown): string {
  if (error instanceof DeadlineError) return 'ETIMEDOUT';
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const CHECK_SERVER = 'Check that the cluster runs, and "server" in the kubeconfig.';
const CHECK_NETWORK = 'Check the network or VPN.';

/** Connection errors, with what to do. */
const CONNECTION: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', CHECK_SERVER],
  ['ECONNRESET', CHECK_SERVER],
  ['EPIPE', CHECK_SERVER],
  ['ENOENT', CHECK_SERVER],
  ['ETIMEDOUT', CHECK_NETWORK],
  ['EHOSTUNREACH', CHECK_NETWORK],
  ['EHOSTDOWN', CHECK_NETWORK],
  ['ENETUNREACH', CHECK_NETWORK],
  ['ENETDOWN', CHECK_NETWORK],
  ['EADDRNOTAVAIL', CHECK_NETWORK],
  ['EAI_AGAIN', CHECK_NETWORK],
  ['ENOTFOUND', 'The name is not known: check the network or VPN, and "server" in the kubeconfig.'],
]);

const CHECK_CA =
  'Check certificate-authority in the kubeconfig; get the kubeconfig anew when the cluster was made anew.';
const CHECK_CLOCK = 'Renew the certificate of the cluster, and check the clock of this machine.';

/** Reasons why Node does not trust a certificate (OpenSSL `X509_V_ERR_*`), with what to do. */
const CERTIFICATE: ReadonlyMap<string, string> = new Map([
  ['SELF_SIGNED_CERT_IN_CHAIN', CHECK_CA],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', CHECK_CA],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', CHECK_CA],
  ['UNABLE_TO_GET_ISSUER_CERT', CHECK_CA],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', CHECK_CA],
  ['CERT_SIGNATURE_FAILURE', CHECK_CA],
  ['CERT_UNTRUSTED', CHECK_CA],
  ['CERT_REJECTED', CHECK_CA],
  ['CERT_REVOKED', CHECK_CA],
  ['INVALID_CA', CHECK_CA],
  ['INVALID_PURPOSE', CHECK_CA],
  ['PATH_LENGTH_EXCEEDED', CHECK_CA],
  ['CERT_HAS_EXPIRED', CHECK_CLOCK],
  ['CERT_NOT_YET_VALID', CHECK_CLOCK],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Set tls-server-name in the kubeconfig to a name that the certificate has.'],
]);

const ANSWERS: ReadonlyMap<number, string> = new Map([
  ...[301, 302, 303, 307, 308].map((status): [number, string] => [
    status,
    'Check "server" in the kubeconfig: it leads to something else, perhaps to a login page.',
  ]),
  [400, 'Check "server" in the kubeconfig: protocol and port.'],
  [404, 'Check "server" in the kubeconfig, and that the pod still exists.'],
  [429, 'The API server has too much to do; wait a moment.'],
]);

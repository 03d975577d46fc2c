import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { Patience } from '../../lib/deadline.ts';
import { type Access, ApiError, type Credentials, type KubeApi } from '../access.ts';
import { hostOf, portOf } from './dial.ts';
import { connectSocket } from './socket.ts';
import { apiErrorOf } from './status.ts';
import { OWN_CONNECTION } from './tunnel.ts';

/** Limit for the head of an answer; the API server itself gives a request up after a minute. */
const ANSWER_LIMIT_MS = 75_000;
/** Limit for the connection before it: name, TCP, TLS. */
const CONNECT_LIMIT_MS = 10_000;
/**
 * Limit for one TCP attempt of it. SYNs go out after 0, 1, 3 and 7 seconds: whoever waits on would find out seconds late
 * that the network is back, a new attempt asks at once.
 */
const TCP_LIMIT_MS = 3_500;
/** TCP keep-alive. Node then asks once a second, and the tenth question without an answer ends a deaf connection. */
const KEEP_ALIVE_MS = 1_000;

/**
 * Requests to the API server of `access`, by Node's own client with the TLS options on each request: connections are
 * kept and shared per TLS options (`https.globalAgent`), and VS Code can lead them through its proxy.
 */
export const kubeApi = (access: Access): KubeApi => ({
  access,
  get: (path, signal) => getAgainAtUnauthorized(access, path, signal),
});

async function getAgainAtUnauthorized(access: Access, path: string, signal: AbortSignal): Promise<IncomingMessage> {
  const credentials = await access.credentials(signal);
  try {
    return await get(access, path, credentials, signal);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    access.forget(credentials);
    const renewed = await access.credentials(signal);
    // The same token would be refused again.
    if (renewed === credentials) throw new ApiError(401, error.message, { reason: error.reason, isSameLogin: true });
    return get(access, path, renewed, signal);
  }
}

async function get(
  access: Access,
  path: string,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const response = await getAgainIfStale(access, path, credentials, signal);
  if (response.statusCode === 200) return response;
  throw await apiErrorOf(response);
}

/** A kept connection that the server closes at the very moment of its next use says nothing about the server. */
async function getAgainIfStale(
  access: Access,
  path: string,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  for (;;) {
    signal.throwIfAborted();
    const request = await send(access, path, credentials, signal);
    try {
      return await answerOf(request, signal);
    } catch (error) {
      const isStale =
        request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(String((error as NodeJS.ErrnoException).code));
      if (!isStale) throw error;
    }
  }
}

async function send(
  access: Access,
  path: string,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<ClientRequest> {
  const { server, proxy } = access;
  const options: RequestOptions = {
    host: hostOf(server),
    port: portOf(server),
    path: server.pathname.replace(/\/$/, '') + path,
    headers: { Accept: 'application/json', 'User-Agent': 'breakpod', ...credentials.headers },
    signal,
  };
  if (proxy) {
    const socket = await connectSocket(access, signal, credentials);
    return http.get({ ...options, ...OWN_CONNECTION, createConnection: () => socket });
  }
  return server.protocol === 'https:' ? https.get({ ...options, ...credentials.tls }) : http.get(options);
}

function answerOf(request: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const patience = new Patience(error => request.destroy(error));
    patience.waitFor(CONNECT_LIMIT_MS);
    const isSecure = request.protocol === 'https:';
    request.once('socket', socket => {
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      const connected = () => patience.waitFor(ANSWER_LIMIT_MS);
      if (request.reusedSocket || !socket.connecting) return connected();
      // The attempt to reach an address begins before anybody can listen for it.
      if (isIP(request.host)) patience.waitFor(TCP_LIMIT_MS);
      socket.on('connectionAttempt', () => patience.waitFor(TCP_LIMIT_MS));
      socket.once('connect', () => patience.waitFor(CONNECT_LIMIT_MS));
      socket.once(isSecure ? 'secureConnect' : 'connect', connected);
    });
    request.once('response', response => {
      patience.stop();
      resolve(response);
      // Else reading would fail with a mere "aborted".
      request.on('error', error => response.destroy(error));
    });
    request.on('error', error => {
      patience.stop();
      reject(signal.aborted ? (signal.reason as Error) : error);
    });
  });
}

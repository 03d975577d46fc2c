import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { dialTcp, dialTls, portOf } from './dial.ts';
import { proxyRefused } from './proxyProblems.ts';

/**
 * Marks a request that brings its own connection: VS Code replaces `agent` and `createConnection` of requests to follow
 * its proxy settings, but leaves those with a `socketPath` alone (`@vscode/proxy-agent` createHttpPatch). Nothing
 * connects to it.
 */
export const OWN_CONNECTION = { socketPath: 'own-connection' } as const;

/**
 * A connection to `server` by CONNECT at an HTTP proxy; also to a plain HTTP server, so that an upgrade passes.
 * Throws `UserError` with the proxy's own words when it refuses, else the connection's error or the reason of `signal`.
 */
export async function dialThroughProxy(proxy: URL, server: URL, signal: AbortSignal): Promise<Socket> {
  const tcp = await dialTcp(proxy, signal);
  const socket = proxy.protocol === 'https:' ? await dialTls(proxy, { socket: tcp }, signal) : tcp;
  const target = `${server.hostname}:${portOf(server)}`;
  const request = http.request({
    ...OWN_CONNECTION,
    createConnection: () => socket,
    method: 'CONNECT',
    path: target,
    headers: { Host: target, ...authorization(proxy) },
  });
  request.end();
  const { statusCode = 0, statusMessage = '' } = await answerOf(request, signal);
  if (statusCode >= 200 && statusCode < 300) return socket;
  socket.destroy();
  throw proxyRefused(proxy, target, `${statusCode} ${statusMessage}`);
}

async function answerOf(request: http.ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  try {
    const [response, socket, head] = (await once(request, 'connect', { signal })) as [IncomingMessage, Socket, Buffer];
    if (head.length > 0) socket.unshift(head);
    return response;
  } catch (error) {
    request.on('error', () => undefined); // what comes after the first error has no reader any more
    request.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}

function authorization({ username, password }: URL): Record<string, string> {
  if (!username) return {};
  const login = `${decoded(username)}:${decoded(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(login).toString('base64')}` };
}

/** A percent sign that encodes nothing stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

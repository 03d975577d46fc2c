import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AddressInfo, Socket } from 'node:net';
import { ApiError, type KubeApi } from '../../../src/cluster/access.ts';

/** Answers one request; `n` counts from 0. */
export type Answer = (response: ServerResponse, request: IncomingMessage, n: number) => void;

/** An HTTP server on loopback that answers as a test says, and counts what is asked of it. */
export class ScriptedServer {
  /** Paths with their queries, in order. */
  readonly requests: string[] = [];
  /** Watches that are open, and the most that were at a time, per path. */
  private readonly open = new Map<string, number>();
  mostWatches = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  readonly port: number;

  private constructor(server: Server, port: number) {
    this.server = server;
    this.port = port;
  }

  /** `answers` are used one after the other, the last one for all further requests. */
  static async start(answers: readonly Answer[], port = 0): Promise<ScriptedServer> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const made = new ScriptedServer(server, (server.address() as AddressInfo).port);
    server.on('connection', socket => {
      made.sockets.add(socket);
      socket.on('close', () => made.sockets.delete(socket));
    });
    server.on('request', (request, response) => {
      const n = made.requests.push(request.url ?? '') - 1;
      if (request.url?.includes('watch=')) made.count(request, response);
      answers[Math.min(n, answers.length - 1)]!(response, request, n);
    });
    return made;
  }

  private count(request: IncomingMessage, response: ServerResponse) {
    const path = request.url!.split('?')[0]!;
    const add = (by: number) => this.open.set(path, (this.open.get(path) ?? 0) + by);
    add(1);
    this.mostWatches = Math.max(this.mostWatches, this.open.get(path)!);
    response.on('close', () => add(-1));
  }

  get api(): KubeApi {
    return apiAt(this.port);
  }

  /** Waits until no connection is open; fails after 20 s. */
  async untilIdle(): Promise<void> {
    const end = Date.now() + 20_000;
    while (this.sockets.size > 0) {
      if (Date.now() > end) throw new Error(`${this.sockets.size} connections are still open`);
      await delay(10);
    }
  }

  /** Breaks what is open and stops listening. */
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The smallest thing that keeps the contract of `KubeApi`, without login and TLS. */
export function apiAt(port: number): KubeApi {
  const server = new URL(`http://127.0.0.1:${port}`);
  const access: KubeApi['access'] = {
    context: 'test',
    cluster: 'test',
    server,
    namespace: 'shop',
    credentials: async () => ({ headers: {}, tls: {} }),
    forget: () => {},
  };
  return { access, get: (path, signal) => getOk(new URL(path, server), signal) };
}

async function getOk(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { signal }, resolve).on('error', reject),
  );
  if (response.statusCode === 200) return response;
  let body = '';
  for await (const chunk of response) body += String(chunk);
  const status = (body.startsWith('{') ? JSON.parse(body) : {}) as { message?: string; reason?: string };
  const seconds = Number(response.headers['retry-after']);
  throw new ApiError(response.statusCode ?? 0, status.message ?? `HTTP status ${response.statusCode}`, {
    ...(status.reason ? { reason: status.reason } : {}),
    ...(seconds ? { retryAfterMs: seconds * 1000 } : {}),
  });
}

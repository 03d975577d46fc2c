import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { handlePortForward } from '../portForward/server.ts';
import type { Authority } from './certificates.ts';
import { sendJson } from './bodies.ts';
import { handle, podOf, type Cluster } from './handlers.ts';
import { handleExec } from './podExec.ts';
import { requestInfo, type RequestInfo } from './requestInfo.ts';
import { badRequest, internalError, StatusError } from './status.ts';
import { authorize, type User, type Users } from './users.ts';

export interface ApiServerOptions {
  readonly authority: Authority;
  readonly users: Users;
  readonly cluster: Cluster;
}

/** The API server: TLS on 127.0.0.1. It can be killed and started again while the node and its pods live on. */
export class ApiServer {
  private readonly users: Users;
  private readonly cluster: Cluster;
  private readonly tls: { key: string; cert: string; ca: string };
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  constructor({ authority, users, cluster }: ApiServerOptions) {
    const { key, certificate } = authority.server();
    this.tls = { key, cert: certificate, ca: authority.certificate };
    this.users = users;
    this.cluster = cluster;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** Listens; the second time on the same port, which fails when something else has taken it meanwhile. */
  async start(): Promise<void> {
    if (this.server) return;
    const server = createServer({ ...this.tls, requestCert: true, rejectUnauthorized: false });
    server.on('request', (request, response) => void this.answer(request, response));
    server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Ends at once, as by SIGKILL: nothing listens, open watches and forwards break. */
  async kill(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = new Promise(resolve => server.close(resolve));
    this.dropConnections();
    await closed;
  }

  /** Breaks each open connection; new ones are welcome. */
  dropConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined); // the client has left
    try {
      const { info, user } = this.admit(request);
      await handle(this.cluster, { info, user, request, response });
    } catch (error) {
      if (response.headersSent) response.destroy();
      else refuse(response, error);
    }
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    try {
      const { info, user } = this.admit(request);
      const subresource = info.resource?.resource === 'pods' ? info.resource.subresource : undefined;
      if (subresource !== 'exec' && subresource !== 'portforward') throw badRequest('this path cannot be upgraded');
      // A WebSocket is a GET, and needs the right to `create` as well, as SPDY's POST does.
      authorize(user, { ...info.attributes, verb: 'create' });
      const { pod } = podOf(this.cluster, info.resource!);
      const { kubelet } = this.cluster;
      const { query } = info;
      if (subresource === 'exec') return handleExec({ kubelet, pod, query, request, socket, head });
      const worker = kubelet.find(pod.metadata.namespace, pod.metadata.name);
      if (!worker) throw internalError(`pod "${pod.metadata.name}" has no processes on this node`);
      handlePortForward({ request, socket, head, pod: worker });
    } catch (error) {
      refuseUpgrade(socket, error);
    }
  }

  private admit(request: IncomingMessage): { info: RequestInfo; user: User } {
    const user = this.users.authenticate(request);
    const info = infoOf(request);
    authorize(user, info.attributes);
    return { info, user };
  }
}

function infoOf(request: IncomingMessage): RequestInfo {
  try {
    return requestInfo(request.method ?? 'GET', request.url ?? '/');
  } catch {
    throw badRequest('the request line cannot be read');
  }
}

const statusErrorOf = (error: unknown): StatusError =>
  error instanceof StatusError ? error : internalError(error instanceof Error ? error.message : String(error));

function refuse(response: ServerResponse, error: unknown): void {
  const { code, status } = statusErrorOf(error);
  if (code === 504) response.setHeader('retry-after', '1');
  sendJson(response, code, status);
}

function refuseUpgrade(socket: Duplex, error: unknown): void {
  const { code, status } = statusErrorOf(error);
  const body = `${JSON.stringify(status)}\n`;
  socket.end(
    `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setMaxListeners } from 'node:events';
import type { PodRef } from '../../../../src/core/contracts.ts';
import type { Access, Credentials } from '../../../../src/cluster/access.ts';
import { handlePortForward } from '../../../../src/demo/portForward/server.ts';
import type { ForwardPod } from '../../../../src/demo/portForward/pod.ts';
import type { Certificate } from './certificate.ts';
import type { PodApp } from './podApp.ts';

interface Pod {
  readonly uid: string;
  readonly forward: ForwardPod;
  gone(): void;
}

/** Verbs on pods/portforward that the login has. */
export type Verbs = readonly ('get' | 'create')[];

export interface ApiServerOptions {
  readonly certificate?: Certificate;
  readonly port?: number;
}

/** An API server with just enough for port-forwards of kubectl and of ours: real HTTP, TLS, upgrades; pods by name. */
export class ApiServer {
  readonly pods = new Map<string, Pod>();
  readonly server: http.Server;
  readonly certificate: Certificate | undefined;
  /** Every upgrade that came, by its protocol. */
  readonly upgrades: string[] = [];
  verbs: Verbs = ['get', 'create'];
  /** Tokens that are let in. */
  tokens = new Set(['good']);
  private readonly sockets = new Set<Duplex>();
  private uids = 0;

  constructor({ certificate }: ApiServerOptions = {}) {
    this.certificate = certificate;
    this.server = certificate
      ? https.createServer({ key: certificate.key, cert: certificate.cert })
      : http.createServer();
    this.server.on('request', (request, response) => this.answer(request, response));
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
    this.server.on(certificate ? 'secureConnection' : 'connection', (socket: Duplex) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const api = new ApiServer(options);
    api.server.listen(options.port ?? 0, '127.0.0.1');
    await once(api.server, 'listening');
    return api;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): URL {
    return new URL(`${this.certificate ? 'https' : 'http'}://127.0.0.1:${this.port}`);
  }

  get connections(): number {
    return this.sockets.size;
  }

  /** A pod whose ports lead to `app`. */
  addPod(name: string, app: PodApp): PodRef {
    const gone = new AbortController();
    setMaxListeners(0, gone.signal);
    const uid = `uid-${++this.uids}`;
    this.pods.set(name, {
      uid,
      forward: { sandbox: `${uid}-sandbox`, find: app.find, gone: gone.signal },
      gone: () => gone.abort(),
    });
    return { cluster: 'test', namespace: 'shop', pod: name, podUid: uid };
  }

  removePod(name: string): void {
    this.pods.get(name)?.gone();
    this.pods.delete(name);
  }

  /** Breaks all connections, as a crash does. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    for (const pod of this.pods.values()) pod.gone();
    this.server.close();
    this.cut();
    if (this.server.listening) await once(this.server, 'close');
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const protocol = (request.headers.upgrade ?? '').toLowerCase();
    this.upgrades.push(protocol === 'websocket' ? String(request.headers['sec-websocket-protocol']) : protocol);
    const name = /\/pods\/([^/?]+)\/portforward/.exec(request.url ?? '')?.[1] ?? '';
    const refusal = this.refusal(request, name, protocol === 'websocket');
    if (refusal) return void socket.end(rawAnswer(refusal));
    const pod = this.pods.get(name);
    if (!pod) return void socket.end(rawAnswer(status(404, `pods "${name}" not found`)));
    handlePortForward({ request, socket, head, pod: pod.forward });
  }

  private refusal(request: IncomingMessage, name: string, isWebSocket: boolean): Status | undefined {
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!this.tokens.has(token)) return status(401, 'Unauthorized');
    const asked = isWebSocket ? 'get' : 'create';
    const start = `pods "${name}" is forbidden: `;
    if (!this.verbs.includes(asked))
      return status(
        403,
        `${start}User "dev" cannot ${asked} resource "pods/portforward" in API group "" in the namespace "shop"`,
      );
    if (!this.verbs.includes('create')) return status(403, start);
    return undefined;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const name = /\/pods\/([^/]+)$/.exec(path)?.[1];
    const pod = name === undefined ? undefined : this.pods.get(name);
    if (path.endsWith('/portforward')) return send(response, status(400, 'Upgrade request required'));
    if (pod && name) return send(response, podObject(name, pod.uid));
    send(response, discovery[path] ?? status(404, 'the server could not find the requested resource'));
  }
}

interface Status {
  readonly kind: 'Status';
  readonly code: number;
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
};

const status = (code: number, message: string) => ({
  kind: 'Status' as const,
  apiVersion: 'v1',
  status: 'Failure',
  reason: REASONS[code] ?? '',
  message,
  code,
});

function rawAnswer(object: Status): string {
  const body = JSON.stringify(object);
  return (
    `HTTP/1.1 ${object.code} ${REASONS[object.code] ?? ''}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
}

function send(response: ServerResponse, object: object): void {
  if ('code' in object && typeof object.code === 'number') response.statusCode = object.code;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(object));
}

const podObject = (name: string, uid: string) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, namespace: 'shop', uid },
  spec: { containers: [{ name: 'app', ports: [{ containerPort: 8081 }] }] },
  status: { phase: 'Running' },
});

const discovery: Readonly<Record<string, object>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      { name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get', 'list', 'watch'] },
      {
        name: 'pods/portforward',
        singularName: '',
        namespaced: true,
        kind: 'PodPortForwardOptions',
        verbs: ['create', 'get'],
      },
    ],
  },
};

/** Access with a token; `forget` is counted and takes the next token. */
export class TestAccess implements Access {
  readonly context = 'test';
  readonly cluster = 'test';
  readonly namespace = 'shop';
  readonly server: URL;
  forgotten = 0;
  private readonly tokens: string[];
  private readonly tls: Credentials['tls'];

  constructor(server: URL, { tokens = ['good'], ca }: { tokens?: string[]; ca?: string | undefined } = {}) {
    this.server = server;
    this.tokens = tokens;
    this.tls = ca ? { ca } : {};
  }

  async credentials(): Promise<Credentials> {
    const token = this.tokens[Math.min(this.forgotten, this.tokens.length - 1)];
    return { headers: { Authorization: `Bearer ${token}` }, tls: this.tls };
  }

  forget(): void {
    this.forgotten++;
  }
}

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { loadKubeconfig } from '../../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../../src/cluster/login/access.ts';
import { type Authority, createAuthority } from '../../../src/demo/api/certificates.ts';

export const authority: Authority = createAuthority();
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
export const caData: string = base64(authority.certificate);

/** A directory of its own for one test. */
export function directoryFor(t: TestContext): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'access-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** What a recording server saw of one request. */
export interface Seen {
  readonly url: string;
  /** Names in lower case, a repeated header joined with ` + `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Subject name of the client certificate. */
  readonly client?: string;
  /** Port of the client's end: the same for two requests on one connection. */
  readonly from: number;
}

export interface RecordingServer {
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
  /** Answers the next requests; replaced by a test. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** TLS sessions that were resumed. */
  resumed(): number;
}

export type ServerKind = 'https' | 'http';

/** A real server on loopback that keeps what it is asked and answers kubectl's discovery with empty lists. */
export async function recordingServer(t: TestContext, kind: ServerKind = 'https'): Promise<RecordingServer> {
  const { certificate, key } = authority.server();
  const seen: Seen[] = [];
  const open = new Set<Socket>();
  let resumed = 0;
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    seen.push(seenOf(request));
    recorder.answer(request, response);
  };
  const tls = { cert: certificate, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false };
  const server = kind === 'https' ? https.createServer(tls, handle) : http.createServer(handle);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.isSessionReused()) resumed++;
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const recorder: RecordingServer = {
    url: `${kind}://127.0.0.1:${port}`,
    port,
    seen,
    answer: answerDiscovery,
    resumed: () => resumed,
  };
  return recorder;
}

/** Ends a response with JSON. */
export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A Kubernetes Status. */
export const statusBody = (code: number, reason: string, message: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  reason,
  message,
});

const POD_RESOURCES = {
  kind: 'APIResourceList',
  groupVersion: 'v1',
  resources: [{ name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get', 'list', 'watch'] }],
};

/** Enough for `kubectl get pods`. */
const DISCOVERY: Readonly<Record<string, unknown>> = {
  version: { major: '1', minor: '33', gitVersion: 'v1.33.0' },
  api: { kind: 'APIVersions', versions: ['v1'] },
  apis: { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  v1: POD_RESOURCES,
  pods: { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [] },
};

function answerDiscovery({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const known = DISCOVERY[new URL(url, 'http://server').pathname.split('/').at(-1) ?? ''];
  if (known) json(response, known);
  else json(response, statusBody(404, 'NotFound', 'not found'), 404);
}

function seenOf(request: IncomingMessage): Seen {
  const names = Object.entries(request.headersDistinct);
  const subject =
    'getPeerCertificate' in request.socket ? (request.socket as TLSSocket).getPeerCertificate().subject : undefined;
  return {
    url: request.url ?? '',
    headers: Object.fromEntries(names.map(([name, values]) => [name, (values ?? []).join(' + ')])),
    ...(subject?.CN ? { client: String(subject.CN) } : {}),
    from: request.socket.remotePort ?? 0,
  };
}

/** Parts of a kubeconfig with one context. */
export interface Config {
  readonly cluster?: Record<string, unknown>;
  readonly user?: Record<string, unknown>;
  readonly context?: Record<string, unknown>;
}

/** A kubeconfig for a server; the CA is the tests' own unless `cluster` says otherwise. */
export const configOf = (server: string, { cluster, user, context }: Config = {}) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'test',
  clusters: [{ name: 'c', cluster: { server, ...(cluster ?? trusting(server)) } }],
  users: user ? [{ name: 'u', user }] : null,
  contexts: [{ name: 'test', context: { cluster: 'c', ...(user ? { user: 'u' } : {}), ...context } }],
});

const trusting = (server: string) => (server.startsWith('https:') ? { 'certificate-authority-data': caData } : {});

/** Writes JSON (YAML is a superset of it) and gives the path. */
export function writeJson(directory: string, name: string, content: unknown): string {
  const file = path.join(directory, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** The access by a kubeconfig that is written and loaded as a person's would be. */
export async function accessTo(
  directory: string,
  server: string,
  config: Config = {},
  env: Record<string, string> = {},
) {
  const explicitFile = writeJson(directory, 'config', configOf(server, config));
  const own = { PATH: process.env['PATH'] ?? '', ...env };
  return accessOf(await loadKubeconfig({ env: own, home: directory, explicitFile }));
}

/** Whether kubectl can be run; where it has to be there, its absence is a failure. */
export async function hasKubectl(): Promise<boolean> {
  const result = await kubectl(['version', '--client'], {});
  if (result.code !== 0 && process.env['CI']) throw new Error(`kubectl is needed here: ${result.stderr}`);
  return result.code === 0;
}

/** Runs kubectl; never throws. */
export const kubectl = (args: readonly string[], env: Record<string, string>) =>
  new Promise<{ code: number; stdout: string; stderr: string }>(resolve => {
    const base = { PATH: process.env['PATH'] ?? '', HOME: env['HOME'] ?? os.tmpdir() };
    const child = execFile('kubectl', args, { env: { ...base, ...env }, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, stdout, stderr: stderr || (error?.message ?? '') }),
    );
    child.stdin?.end();
  });

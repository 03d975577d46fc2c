import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Calls } from './calls.ts';
import { skaffoldHeader } from './control.ts';
import { httpStatusOf, readJson } from './httpParts.ts';
import { listenOnLoopback, type ProtocolServer } from './loopback.ts';
import { checkFrom } from './origin.ts';
import { codes, type ControlMethod } from '../proto/codes.ts';
import { Refused, statusOf } from './problems.ts';
import { LAST_WORD_MS, type Sink } from './reader.ts';
import { intentOf, triggerOf } from './requests.ts';
import type { Item, Wire } from './wire.ts';

/** Requests are small, and come at once. */
const limits = { maxHeaderSize: 8 << 10, headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 5000 };

/** Writes a whole answer, or begins one; what it throws becomes an error of the API. */
type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** The HTTP mapping of the API (skaffold: proto/v1/skaffold.proto), on the loopback only. Throws `UserError` when the port is taken. */
export async function serveHttp(wire: Wire, calls: Calls, port: number): Promise<ProtocolServer> {
  const routes = routesOf(wire, calls);
  const servers = [0, 1].map(() => createServer(limits, (...both) => void respond(routes, ...both)));
  return {
    ...(await listenOnLoopback(servers as [Server, Server], port)),
    destroy() {
      for (const server of servers) server.closeAllConnections();
    },
  };
}

/** By path, then by method. */
type Routes = ReadonlyMap<string, Readonly<Record<string, Handler>>>;

function routesOf(wire: Wire, calls: Calls): Routes {
  const control =
    (method: ControlMethod, requestOf: (body: unknown) => object): Handler =>
    async (request, response) => {
      const named = textOf(request.headers[skaffoldHeader]);
      await calls.control(method, requestOf(await readJson(request)), named);
      sendJson(response, 200, '{}');
    };
  const events: Handler = (request, response) => readEvents(wire, calls, request, response);
  return new Map<string, Readonly<Record<string, Handler>>>([
    ['/v1/events', { GET: events }],
    ['/v1/event_log', { GET: events }],
    ['/v1/state', { GET: async (_, response) => sendJson(response, 200, wire.stateJson(await calls.state())) }],
    ['/v1/execute', { POST: control('execute', intentOf) }],
    ['/v1/build/auto_execute', { PUT: control('autoBuild', triggerOf) }],
    ['/v1/sync/auto_execute', { PUT: control('autoSync', triggerOf) }],
    ['/v1/deploy/auto_execute', { PUT: control('autoDeploy', triggerOf) }],
  ]);
}

async function respond(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { host: hosts = [] } = request.headersDistinct;
    const host = hosts.length === 1 ? hosts[0] : undefined;
    checkFrom({ host, origin: request.headers.origin, site: textOf(request.headers['sec-fetch-site']) });
    await handlerFor(routes, request)(request, response);
  } catch (error) {
    sendError(response, error);
  }
}

/** A method that a path does not have is UNIMPLEMENTED, as in Skaffold's gateway. */
function handlerFor(routes: Routes, { url = '', method = '' }: IncomingMessage): Handler {
  const path = routes.get(url.replace(/^http:\/\/[^/?]*/i, '').replace(/\?.*$/s, ''));
  if (!path) throw new Refused(codes.NOT_FOUND, 'Not Found');
  const handler = Object.hasOwn(path, method) ? path[method] : undefined;
  if (!handler) throw new Refused(codes.UNIMPLEMENTED, 'Method Not Allowed');
  return handler;
}

function readEvents(wire: Wire, calls: Calls, { socket }: IncomingMessage, response: ServerResponse): void {
  // A request behind another's stream on the same connection would never have its turn, nor hear of the connection's end.
  if (response.socket !== socket) return void socket.destroy();
  response.setHeader('Connection', 'close');
  response.once('close', calls.read(sinkOf(wire, response)));
}

/** Of batches that are handed to many readers at the same time. */
const joined = new WeakMap<readonly Item[], Buffer>();

function linesOf(items: readonly Item[]): Buffer {
  const lines = joined.get(items) ?? Buffer.concat(items.map(({ line }) => line));
  joined.set(items, lines);
  return lines;
}

function sinkOf(wire: Wire, response: ServerResponse): Sink {
  const write = (bytes: Buffer) => {
    if (!response.headersSent) response.writeHead(200, headers);
    return response.write(bytes);
  };
  return {
    write: items => write(linesOf(items)),
    onDrain: listener => response.once('drain', listener),
    end: () => response.end(),
    cut(reason) {
      write(wire.errorLine(codes.RESOURCE_EXHAUSTED, reason));
      response.end();
      const over = setTimeout(() => response.destroy(), LAST_WORD_MS).unref();
      response.once('close', () => clearTimeout(over));
    },
  };
}

/** No page may guess at the type, and nothing may be kept. */
const headers = {
  'Content-Type': 'application/json',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

function sendJson(response: ServerResponse, status: number, json: string): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(json) });
  response.end(json);
}

/** As Skaffold ≥ v1.33 has errors: `google.rpc.Status`. What is left of a request is not waited for. */
function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const { code, details } = statusOf(error);
  if (!response.req.complete) response.setHeader('Connection', 'close');
  sendJson(response, httpStatusOf(code), JSON.stringify({ code, message: details, details: [] }));
}

const textOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

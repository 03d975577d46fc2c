import { createServer, type Socket } from 'node:net';
import type {
  Metadata,
  sendUnaryData,
  ServerDuplexStream,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { type Calls } from './calls.ts';
import { skaffoldHeader } from './control.ts';
import { listenOnLoopback, type ProtocolServer } from './loopback.ts';
import { checkFrom } from './origin.ts';
import { codes, type ControlMethod } from '../proto/codes.ts';
import { statusOf } from './problems.ts';
import { LAST_WORD_MS, type Sink } from './reader.ts';
import type { Item, Libraries } from './wire.ts';

/** Requests are small; what is larger is refused before it is read. */
const limits = {
  'grpc.max_receive_message_length': 64 << 10,
  'grpc.max_concurrent_streams': 128,
  'grpc-node.max_session_memory': 16, // MB
  'grpc.max_connection_idle_ms': 60_000, // without a call
  'grpc.enable_channelz': 0,
};

/** How long a connection may say nothing at all, in milliseconds. */
const SILENT_MS = 10_000;

type Stream = ServerWritableStream<object, Item> | ServerDuplexStream<object, Item>;

/** The API over gRPC, on the loopback only. Throws `UserError` when the port is taken. */
export async function serveGrpc(libraries: Libraries, calls: Calls, port: number): Promise<ProtocolServer> {
  const { Server, ServerCredentials, SkaffoldServiceService: v1 } = libraries;
  const server = new Server(limits);
  // Items are encoded once for all readers.
  const responseSerialize = ({ message }: Item) => message;
  const service = {
    ...v1,
    events: { ...v1.events, responseSerialize },
    eventLog: { ...v1.eventLog, responseSerialize },
  };
  const peers = new Map<string, Socket>();
  server.addService(
    service,
    handlersOf(calls, peer => peers.get(peer)?.destroy()),
  );
  // Own sockets in place of the server's: bounded in number, on two addresses at one port.
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const take = (socket: Socket) => {
    remember(peers, socket);
    injector.injectConnection(socket);
  };
  const sockets = [createServer({ noDelay: true }, take), createServer({ noDelay: true }, take)] as const;
  const loopback = await listenOnLoopback(sockets, port);
  return {
    ...loopback,
    stopAccepting() {
      loopback.stopAccepting();
      // Clients are told, and connections end with their last call. That they have, grpc-js does not know of other sockets.
      server.tryShutdown(() => undefined);
    },
    destroy: () => server.forceShutdown(),
  };
}

/** By the name that grpc-js has for its client, until it is closed. */
function remember(peers: Map<string, Socket>, socket: Socket): void {
  const peer = `${socket.remoteAddress}:${socket.remotePort}`;
  peers.set(peer, socket);
  const silent = setTimeout(() => socket.bytesRead === 0 && socket.destroy(), SILENT_MS).unref();
  socket.once('close', () => {
    clearTimeout(silent);
    peers.delete(peer);
  });
}

/** `hangUp` ends the connection of a client. */
function handlersOf(calls: Calls, hangUp: (peer: string) => void): UntypedServiceImplementation {
  const read = (call: Stream) => readEvents(calls, call, hangUp);
  const control = (method: ControlMethod) =>
    unary(call => calls.control(method, call.request, textIn(call.metadata, skaffoldHeader)).then(() => ({})));
  return {
    events: read,
    eventLog: read, // what is sent on it is never read, as with Skaffold
    getState: unary(() => calls.state()),
    execute: control('execute'),
    autoBuild: control('autoBuild'),
    autoSync: control('autoSync'),
    autoDeploy: control('autoDeploy'),
  };
}

type Unary = ServerUnaryCall<object, object>;

type Answer = (call: Unary) => Promise<object>;

const unary = (answer: Answer) => (call: Unary, done: sendUnaryData<object>) => void respond(answer, call, done);

async function respond(answer: Answer, call: Unary, done: sendUnaryData<object>): Promise<void> {
  try {
    checkCall(call);
    done(null, await answer(call));
  } catch (error) {
    done(statusOf(error));
  }
}

function readEvents(calls: Calls, call: Stream, hangUp: (peer: string) => void): void {
  try {
    checkCall(call);
    const gone = calls.read(sinkOf(call, hangUp));
    call.on('cancelled', gone);
    call.on('close', gone);
  } catch (error) {
    call.emit('error', statusOf(error));
  }
}

const sinkOf = (call: Stream, hangUp: (peer: string) => void): Sink => ({
  write: items => items.map(item => call.write(item)).every(Boolean),
  onDrain: listener => call.once('drain', listener),
  end: () => call.end(),
  cut(details) {
    call.emit('error', { code: codes.RESOURCE_EXHAUSTED, details });
    // One who does not even read that holds its place no longer.
    const over = setTimeout(() => hangUp(call.getPeer()), LAST_WORD_MS).unref();
    call.once('close', () => clearTimeout(over));
  },
});

const checkCall = (call: Unary | Stream): void =>
  checkFrom({
    host: call.getHost(),
    origin: textIn(call.metadata, 'origin'),
    site: textIn(call.metadata, 'sec-fetch-site'),
  });

const textIn = (metadata: Metadata, name: string): string | undefined => {
  const [value] = metadata.get(name);
  return value === undefined ? undefined : String(value);
};

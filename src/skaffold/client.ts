import type { Client, ClientReadableStream, ServiceError, StatusObject } from '@grpc/grpc-js';
import type { Api, SkaffoldEvent } from './event.ts';
import { FromGrpc, unreadable } from './fromGrpc.ts';

/** How a stream ended: a status of gRPC and its words. */
export interface StreamEnd {
  readonly code: number;
  readonly details: string;
}

/** Reads what one running Skaffold says. */
export interface SkaffoldClient {
  /** Events of v1, events of v2: what each calls, beginning with the replay of all before. */
  readonly streams: readonly ((onEvent: (event: SkaffoldEvent) => void) => OpenStream)[];
  /** What the containers print, since the present iteration began; of v2. */
  readonly applicationLog: (onEvent: (event: SkaffoldEvent) => void) => OpenStream;
  /** Whether Skaffold answers within the time. */
  isThere(withinMs: number): Promise<boolean>;
  close(): void;
}

/** A stream that is being read. It cannot pause: an event that waits in gRPC when the connection breaks is lost. */
export interface OpenStream {
  readonly ended: Promise<StreamEnd>;
  /** Never before the replay has been read: Skaffold can lock up (skaffold: pkg/skaffold/event/v2/event.go). */
  cancel(): void;
}

/** Not even a proxy for the loopback, no pings (Skaffold ends connections for them), and state lists of any size. */
const channelOptions = {
  'grpc.enable_http_proxy': 0,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 500,
  'grpc.max_receive_message_length': -1,
  'grpc.service_config_disable_resolution': 1,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_channelz': 0,
};

async function clientAt(port: number): Promise<Client> {
  const { Client, credentials } = await import('../proto/libraries.ts');
  // Not localhost: Skaffold listens on IPv4 only.
  return new Client(`127.0.0.1:${port}`, credentials.createInsecure(), channelOptions);
}

/** A method of a generated service that answers once. */
export type UnaryMethod<Request, Answer> = Readonly<{
  path: string;
  requestSerialize: (request: Request) => Buffer;
  responseDeserialize: (bytes: Buffer) => Answer;
}>;

/** Calls a method of the Skaffold at this port, on a connection of its own. Throws the `ServiceError` of gRPC. */
export async function callOnce<Request, Answer>(
  port: number,
  { path, requestSerialize, responseDeserialize }: UnaryMethod<Request, Answer>,
  request: Request,
  withinMs: number,
): Promise<Answer> {
  const client = await clientAt(port);
  try {
    return await new Promise<Answer>((resolve, reject) =>
      client.makeUnaryRequest(
        ...([path, requestSerialize, responseDeserialize, request, { deadline: Date.now() + withinMs }] as const),
        (error, answer) => (error ? reject(error) : resolve(answer!)),
      ),
    );
  } finally {
    client.close();
  }
}

/** A client for the RPC port of a Skaffold on this machine; connects when a stream is opened. */
export async function skaffoldClient(port: number): Promise<SkaffoldClient> {
  const libraries = await import('../proto/libraries.ts');
  const client = await clientAt(port);
  const from = new FromGrpc(libraries);
  const { SkaffoldServiceService: v1, SkaffoldV2ServiceService: v2 } = libraries;
  // Decoded here, not by the generated clients: for gRPC a message that cannot be decoded is the end of its stream.
  const open = (path: string, decode: (bytes: Buffer) => SkaffoldEvent) => (onEvent: (event: SkaffoldEvent) => void) =>
    read(client.makeServerStreamRequest(path, noFields, decode, undefined), onEvent);
  const v1Event = orUnreadable('v1', bytes => from.v1(v1.events.responseDeserialize(bytes)));
  const v2Event = orUnreadable('v2', bytes => from.v2(v2.events.responseDeserialize(bytes)));
  return {
    streams: [open(v1.events.path, v1Event), open(v2.events.path, v2Event)],
    applicationLog: open(v2.applicationLogs.path, v2Event),
    isThere: withinMs => new Promise(resolve => client.waitForReady(Date.now() + withinMs, error => resolve(!error))),
    close: () => client.close(),
  };
}

/** `google.protobuf.Empty`. */
const noFields = (): Buffer => Buffer.alloc(0);

const orUnreadable =
  (api: Api, decode: (bytes: Buffer) => SkaffoldEvent) =>
  (bytes: Buffer): SkaffoldEvent => {
    try {
      return decode(bytes);
    } catch (error) {
      return unreadable(api, error);
    }
  };

/** What may still come after the status, which overtakes data that nobody has taken yet. */
const TAIL_MS = 1000;

function read(call: ClientReadableStream<SkaffoldEvent>, onEvent: (event: SkaffoldEvent) => void): OpenStream {
  let end: StreamEnd = { code: 0, details: '' };
  const ended = new Promise<StreamEnd>(resolve => {
    const finish = () => resolve(end);
    call.on('data', onEvent);
    call.on('error', (error: ServiceError) => (end = { code: error.code, details: error.details }));
    call.on('status', (status: StatusObject) => {
      end = { code: status.code, details: status.details };
      setTimeout(finish, TAIL_MS).unref();
    });
    call.on('end', finish);
  });
  return { ended, cancel: () => call.cancel() };
}

import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Kubelet } from '../kubelet/kubelet.ts';
import type { Exit, GroupProcess } from '../kubelet/processes.ts';
import { containerName } from './podLog.ts';
import type { Pod } from './objects.ts';
import { isTrue } from './requestInfo.ts';
import { badRequest, internalError, StatusError, type Status } from './status.ts';

/** First byte of each message (apimachinery `pkg/util/remotecommand`); CLOSE exists since v5 and names a channel. */
const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, error: 3, close: 255 } as const;
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;
/** Output of a program waits while the client has more than this to read. */
const MOST_UNSENT_BYTES = 1 << 20;

const sockets = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  handleProtocols: offered => PROTOCOLS.find(protocol => offered.has(protocol)) ?? false,
});

export interface ExecRequest {
  readonly kubelet: Kubelet;
  readonly pod: Pod;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Answers the upgrade of `pods/NAME/exec`. Throws a `StatusError` while the request can still be refused. */
export function handleExec({ kubelet, pod, query, request, socket, head }: ExecRequest): void {
  const command = query.getAll('command');
  if (command.length === 0) throw badRequest('you must specify at least 1 command for the container');
  const name = containerName(pod, query.get('container') ?? '');
  const run = kubelet.find(pod.metadata.namespace, pod.metadata.name)?.container(name)?.run;
  if (!run) throw internalError(`unable to upgrade connection: container not found ("${name}")`);
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/);
  if (request.headers.upgrade?.toLowerCase() !== 'websocket' || !PROTOCOLS.some(one => offered.includes(one)))
    throw badRequest('this server runs commands over v5.channel.k8s.io and v4.channel.k8s.io only');
  sockets.handleUpgrade(request, socket, head, client => {
    const process = run.exec(command, isTrue(query.get('stdin')));
    connect(client, process, command[0]!);
  });
}

function connect(client: WebSocket, process: GroupProcess, program: string): void {
  const { stdout, stderr } = process.child;
  if (stdout) sendOutput(client, CHANNEL.stdout, stdout);
  if (stderr) sendOutput(client, CHANNEL.stderr, stderr);
  client.on('message', (data: RawData) => receive(client, process, data as Buffer));
  client.on('error', () => undefined); // `close` follows
  client.on('close', () => process.kill('SIGKILL'));
  process.child.stdin?.on('error', () => undefined); // the program reads no more
  void sendOutcome(client, process, program);
}

function sendOutput(client: WebSocket, channel: number, stream: Readable): void {
  stream.on('data', (content: Buffer) => {
    client.send(framed(channel, content), () => stream.resume());
    if (client.bufferedAmount > MOST_UNSENT_BYTES) stream.pause();
  });
}

function receive(client: WebSocket, process: GroupProcess, message: Buffer): void {
  const { stdin } = process.child;
  const content = message.subarray(1);
  if (message[0] === CHANNEL.close && content[0] === CHANNEL.stdin) stdin?.end();
  if (message[0] !== CHANNEL.stdin || !stdin || stdin.write(content)) return;
  client.pause();
  stdin.once('drain', () => client.resume());
}

async function sendOutcome(client: WebSocket, process: GroupProcess, program: string): Promise<void> {
  const exit = await process.exited;
  client.send(framed(CHANNEL.error, Buffer.from(JSON.stringify(outcome(exit, program)))));
  client.close(1000);
}

const framed = (channel: number, content: Buffer) => Buffer.concat([Buffer.from([channel]), content]);

/** What a kubelet sends on the error channel (kubelet `pkg/cri/streaming/remotecommand`). */
function outcome({ code, signal, failure }: Exit, program: string): Status {
  if (failure !== undefined) {
    const cause = `exec: "${program}": executable file not found in $PATH`;
    return internalError(`error executing command in container: failed to exec in container: ${cause}`).status;
  }
  if (code === 0) return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
  const number = code ?? (signal === 'SIGKILL' ? 137 : 143);
  return new StatusError(
    500,
    'NonZeroExitCode',
    `command terminated with non-zero exit code: command terminated with exit code ${number}`,
    { causes: [{ reason: 'ExitCode', message: String(number) }] },
  ).status;
}

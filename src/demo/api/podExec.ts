import type { IncomingMessage } from 'node:http';
import { constants } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Kubelet } from '../kubelet/kubelet.ts';
import type { Exit, GroupProcess } from '../kubelet/processes.ts';
import { refuse } from '../portForward/answers.ts';
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

/** Answers the upgrade of `pods/NAME/exec`. Throws a `StatusError` while the API server itself can refuse the request. */
export function handleExec({ kubelet, pod, query, request, socket, head }: ExecRequest): void {
  const command = query.getAll('command');
  const name = containerName(pod, query.get('container') ?? '');
  if (!(['stdin', 'stdout', 'stderr'] as const).some(stream => isTrue(query.get(stream))))
    return refuse(socket, 400, 'you must specify at least 1 of stdin, stdout, stderr');
  const run = kubelet.find(pod.metadata.namespace, pod.metadata.name)?.container(name)?.run;
  if (!run) return refuse(socket, 500, `container not found ("${name}")`);
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(/\s*,\s*/);
  if (request.headers.upgrade?.toLowerCase() !== 'websocket' || !PROTOCOLS.some(one => offered.includes(one)))
    throw badRequest('this server runs commands over v5.channel.k8s.io and v4.channel.k8s.io only');
  sockets.handleUpgrade(request, socket, head, client => {
    const [program] = command;
    if (program === undefined) return sendOutcome(client, { code: null, signal: null, failure: 'no program' }, program);
    const process = run.exec(command, isTrue(query.get('stdin')));
    for (const name of ['stdout', 'stderr'] as const) {
      const stream = process.child[name];
      if (isTrue(query.get(name))) sendOutput(client, CHANNEL[name], stream!);
      else stream?.resume();
    }
    connect(client, process);
    void process.exited.then(exit => sendOutcome(client, exit, program));
  });
}

function connect(client: WebSocket, process: GroupProcess): void {
  client.on('message', (data: RawData) => receive(client, process, data as Buffer));
  client.on('error', () => undefined); // `close` follows
  client.on('close', () => process.kill('SIGKILL'));
  process.child.stdin?.on('error', () => undefined); // the program reads no more
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

function sendOutcome(client: WebSocket, exit: Exit, program: string | undefined): void {
  client.send(framed(CHANNEL.error, Buffer.from(JSON.stringify(outcome(exit, program)))));
  client.close(1000);
}

const framed = (channel: number, content: Buffer) => Buffer.concat([Buffer.from([channel]), content]);

/** What a kubelet sends on the error channel (kubelet `pkg/cri/streaming/remotecommand`), in the words of containerd and runc. */
function outcome({ code, signal, failure }: Exit, program: string | undefined): Status {
  if (failure !== undefined) {
    const cause = `failed to start exec: OCI runtime exec failed: exec failed: ${whyNotStarted(program)}: unknown`;
    const error = internalError(`error executing command in container: failed to exec in container: ${cause}`);
    return internalError(error.message).status; // once by the kubelet's runtime service, once by its server
  }
  if (code === 0) return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
  const number = code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
  return new StatusError(
    500,
    'NonZeroExitCode',
    `command terminated with non-zero exit code: command terminated with exit code ${number}`,
    { causes: [{ reason: 'ExitCode', message: String(number) }] },
  ).status;
}

function whyNotStarted(program: string | undefined): string {
  if (program === undefined) return 'args must not be empty';
  const why = program.includes('/')
    ? `stat ${program}: no such file or directory`
    : 'executable file not found in $PATH';
  return `unable to start container process: exec: "${program}": ${why}`;
}

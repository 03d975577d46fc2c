import type { IncomingMessage } from 'node:http';
import { constants } from 'node:os';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { ContainerRun } from '../kubelet/containerRun.ts';
import type { Kubelet } from '../kubelet/kubelet.ts';
import type { Exit } from '../kubelet/processes.ts';
import { acceptSpdy, refuse } from '../portForward/answers.ts';
import { type ExecStreams, overSpdy, overWebSocket } from './execStreams.ts';
import { containerName } from './podLog.ts';
import type { Pod } from './objects.ts';
import { isTrue } from './requestInfo.ts';
import { badRequest, internalError, StatusError, type Status } from './status.ts';

const STREAMS = ['stdin', 'stdout', 'stderr'] as const;
type StreamName = (typeof STREAMS)[number];

const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

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
  if (!STREAMS.some(stream => isTrue(query.get(stream))))
    return refuse(socket, 400, 'you must specify at least 1 of stdin, stdout, stderr');
  const run = kubelet.find(pod.metadata.namespace, pod.metadata.name)?.container(name)?.run;
  if (!run) return refuse(socket, 500, `container not found ("${name}")`);
  const asked = STREAMS.filter(name => isTrue(query.get(name)));
  const begin = (streams: ExecStreams) => start(run, command, asked, streams);
  const isSpdy = request.headers.upgrade?.toLowerCase() === 'spdy/3.1';
  const offered = (request.headers[isSpdy ? 'x-stream-protocol-version' : 'sec-websocket-protocol'] ?? '').toString();
  const protocol = PROTOCOLS.find(one => offered.split(/\s*,\s*/).includes(one));
  if (!protocol) throw badRequest('this server runs commands over v5.channel.k8s.io and v4.channel.k8s.io only');
  if (!isSpdy) return sockets.handleUpgrade(request, socket, head, client => begin(overWebSocket(client)));
  acceptSpdy(socket, protocol);
  overSpdy(socket, head, ['error', ...asked], begin);
}

function start(
  run: ContainerRun,
  command: readonly string[],
  asked: readonly StreamName[],
  streams: ExecStreams,
): void {
  const [program] = command;
  const end = (exit: Exit) => streams.end(JSON.stringify(outcome(exit, program)));
  if (program === undefined) return end({ code: null, signal: null, failure: 'no program' });
  const guest = run.exec(command, asked.includes('stdin'));
  const { stdin } = guest.child;
  for (const name of ['stdout', 'stderr'] as const) {
    const output = guest.child[name];
    if (output && asked.includes(name)) streams.send(name, output);
    else output?.resume();
  }
  stdin?.on('error', () => undefined); // the program reads no more
  if (stdin) streams.feed(stdin);
  streams.onClose(() => guest.kill('SIGKILL'));
  void guest.exited.then(end);
}

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

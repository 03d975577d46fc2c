import { Exec, KubeConfig, type V1Status } from '@kubernetes/client-node';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import type { ApiError } from '../../src/cluster/access.ts';
import type { PodRef } from '../../src/core/contracts.ts';
import { apiErrorOf } from '../../src/cluster/http/status.ts';
import type { ContractCluster, LoginName } from './cluster.ts';

export const NOT_REFUSED = 'the program was started';

const BOTH = ['stdout', 'stderr'] as const;

/** A program to run in a container. */
export interface ExecCall {
  readonly pod: PodRef;
  readonly container: string;
  readonly command: readonly string[];
  readonly stdin?: Readable;
  /** What is asked for; both unless given. */
  readonly streams?: readonly ('stdout' | 'stderr')[];
  /** Called when the connection stands. */
  started?(): void;
}

/** What became of it. */
export interface ExecResult {
  readonly stdout: string;
  readonly stderr: string;
  /** As the kubelet has told it; `undefined` when the connection ended without. */
  readonly status: V1Status | undefined;
}

/** Runs programs in containers over a WebSocket, by client-node. */
export class ExecClient {
  private readonly config = new KubeConfig();

  constructor(cluster: ContractCluster, login: LoginName) {
    const { file, context } = cluster.kubeconfig(login);
    this.config.loadFromFile(file);
    if (context) this.config.setCurrentContext(context);
  }

  /** Resolves when the connection has ended. `onOutput` gets what the program writes to its standard output, as it comes. */
  async run(
    { pod, container, command, stdin, streams = BOTH, started }: ExecCall,
    onOutput?: (text: string) => void,
  ): Promise<ExecResult> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const read = Promise.all([text(stdout), text(stderr)]);
    if (onOutput) stdout.on('data', (chunk: Buffer) => onOutput(chunk.toString()));
    let status: V1Status | undefined;
    const socket = await new Exec(this.config).exec(
      pod.namespace,
      pod.pod,
      container,
      [...command],
      streams.includes('stdout') ? stdout : null,
      streams.includes('stderr') ? stderr : null,
      stdin ?? null,
      false,
      told => (status = told),
    );
    started?.();
    const timer = setTimeout(() => socket.terminate(), 60_000);
    await once(socket, 'close').finally(() => clearTimeout(timer));
    for (const stream of [stdout, stderr]) stream.end();
    const [out, err] = await read;
    return { stdout: out, stderr: err, status };
  }

  /** The answer to a call that is refused before it begins, which client-node keeps to itself. Throws `NOT_REFUSED`. */
  async refusal({ pod, container, command, streams = BOTH }: ExecCall): Promise<ApiError> {
    const query = new URLSearchParams({ container });
    for (const name of streams) query.append(name, 'true');
    for (const word of command) query.append('command', word);
    const server = this.config.getCurrentCluster()!.server.replace(/^http/, 'ws');
    const options = {};
    await this.config.applyToHTTPSOptions(options);
    const url = `${server}/api/v1/namespaces/${pod.namespace}/pods/${pod.pod}/exec?${query.toString()}`;
    const socket = new WebSocket(url, 'v5.channel.k8s.io', options);
    const response = await new Promise<Parameters<typeof apiErrorOf>[0]>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('open', () => reject(new Error(NOT_REFUSED)));
      socket.once('unexpected-response', (_request, refused) => resolve(refused));
    });
    const error = await apiErrorOf(response);
    socket.on('error', () => undefined); // of the termination
    socket.terminate();
    return error;
  }
}

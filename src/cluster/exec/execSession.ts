import { Duplex } from 'node:stream';
import type { ContainerRef } from '../../core/contracts.ts';
import type { Connection } from '../../lib/connection.ts';
import { Emitter } from '../../lib/emitter.ts';
import { type ForwardSession, PodError } from '../forward/session.ts';
import type { ExecChannel } from './channel.ts';
import type { ClusterExec } from './clusterExec.ts';
import { outcomeOf } from './outcome.ts';

/** As much of its error output is kept as a person reads. */
const MOST_SAID_CHARS = 2_000;

/** Connections that each run a program in a container, behind the face of a session: its standard input and output are the bytes. */
export class ExecSession implements ForwardSession {
  readonly transport = 'direct';
  readonly congested = false;
  load = 0;
  private readonly open = new Set<ExecChannel>();
  private readonly freed = new Emitter<void>();
  private readonly closed = new Emitter<Error | undefined>();
  private readonly exec: Pick<ClusterExec, 'start'>;
  private readonly at: ContainerRef;
  private readonly command: readonly string[];
  private isOver = false;

  readonly onFree = this.freed.event;
  readonly onClose = this.closed.event;

  constructor(exec: Pick<ClusterExec, 'start'>, at: ContainerRef, command: readonly string[]) {
    this.exec = exec;
    this.at = at;
    this.command = command;
  }

  get usable(): boolean {
    return !this.isOver;
  }

  async connect(_port: number, signal: AbortSignal): Promise<Connection> {
    const { at, command } = this;
    const channel = await this.exec.start(at, { container: at.container, command, stdin: true }, signal);
    this.load++;
    this.open.add(channel);
    const connection = connectionOf(channel);
    connection.on('close', () => {
      if (!this.open.delete(channel)) return;
      channel.close();
      this.load--;
      this.freed.fire();
    });
    return connection;
  }

  dispose(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const channel of this.open) channel.close();
    this.closed.fire(undefined);
  }
}

/** Why a program ends is known a little after its output has: only then has its connection ended. */
function connectionOf({ stdin, stdout, stderr, outcome }: ExecChannel): Connection {
  const connection = new Duplex({
    read: () => void stdout.resume(),
    write: (chunk: Buffer, encoding, done) => void stdin!.write(chunk, encoding, done),
    final: done => void stdin!.end(done),
  });
  let said = '';
  stderr.on('data', (piece: Buffer) => {
    if (said.length < MOST_SAID_CHARS) said += piece.toString();
  });
  stdout.on('data', (piece: Buffer) => {
    if (!connection.push(piece)) stdout.pause();
  });
  for (const stream of [stdin!, stdout, stderr]) stream.on('error', () => undefined); // `outcome` tells
  void ended(outcome).then(status => {
    const failure = status instanceof Error ? status : failureIn(status, said);
    return failure ? connection.destroy(failure) : connection.push(null);
  });
  return connection;
}

/** The node's words, or the program's own where it has failed. */
function failureIn(status: string, said: string): PodError | undefined {
  const outcome = outcomeOf(status);
  if ('failure' in outcome) return new PodError(outcome.failure);
  return outcome.code === 0 ? undefined : new PodError(said.trim() || `it ended with exit code ${outcome.code}`);
}

/** What the error channel has said, or why it has said nothing. */
const ended = (outcome: Promise<string>): Promise<string | Error> => outcome.catch((error: unknown) => error as Error);

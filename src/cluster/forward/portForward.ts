import net, { type Socket } from 'node:net';
import type { Forward, PodRef } from '../../core/contracts.ts';
import type { Connection } from '../../lib/connection.ts';
import { Emitter } from '../../lib/emitter.ts';
import { bridge } from './bridge.ts';
import { type HandOver, HandOvers } from './handOvers.ts';
import { listenOn } from './localPort.ts';
import { SessionPool } from './pool.ts';
import { podGone, tooManyConnections } from './problems.ts';
import { type ForwardLimits, type ForwardSession, PodError } from './session.ts';

export interface PortForwardOptions {
  readonly pod: PodRef;
  readonly port: number;
  readonly limits: ForwardLimits;
  /** Opens a session to a pod; throws `UserError`. */
  dial(pod: PodRef, signal: AbortSignal): Promise<ForwardSession>;
  log(text: string): void;
}

/** These concern the program behind the port; any other text says that the session leads nowhere any more. */
const APP_ERROR = /connection refused|connection reset/i;

/** Unread and unsent bytes of a client that are held: with Node's own 64 KiB a transfer stops and goes all the time. */
const CLIENT_BUFFER_BYTES = 1 << 18;
const clientOptions = { allowHalfOpen: true, noDelay: true, highWaterMark: CLIENT_BUFFER_BYTES };

/** A listener on 127.0.0.1 that leads to one port of one pod, over a pool of sessions. */
export class PortForward implements Forward {
  private readonly options: PortForwardOptions;
  private readonly server = net.createServer(clientOptions, local => this.accept(local));
  private readonly locals = new Set<Socket>();
  /** Clients that have not ended: those that have are gone in a second, and a row of short ones must not be refused. */
  private talking = 0;
  private readonly handOvers = new HandOvers();
  private readonly problems = new Emitter<Error>();
  private readonly disposing = new Emitter<void>();
  private pod: PodRef;
  private pool: SessionPool | undefined;
  private port = 0;

  readonly onProblem = this.problems.event;
  /** Fires once. */
  readonly onDispose = this.disposing.event;

  constructor(options: PortForwardOptions) {
    this.options = options;
    this.pod = options.pod;
    this.pool = this.newPool(options.pod);
  }

  get localPort(): number {
    return this.port;
  }

  /** What the sessions run over; `undefined` while there is none. */
  get transport(): ForwardSession['transport'] | undefined {
    return this.sessions.findLast(({ usable }) => usable)?.transport;
  }

  /** Sessions that are open, for reports and tests. */
  get sessions(): readonly ForwardSession[] {
    return this.pool?.open ?? [];
  }

  /** Dials, then listens on the first of `choices` that is free. Throws `UserError` or the reason of `signal`. */
  async start(choices: readonly number[], signal: AbortSignal): Promise<void> {
    await this.pool?.ready(signal);
    this.port = await listenOn(this.server, choices, this.options.log);
    this.server.on('error', error => this.problem(error));
  }

  async dial(signal: AbortSignal): Promise<Connection> {
    const { pool } = this;
    if (!pool) throw podGone(this.pod);
    const connection = await pool.connect(this.options.port, signal);
    connection.on('error', error => {
      if (error instanceof PodError && !APP_ERROR.test(error.message)) pool.retire();
    });
    return connection;
  }

  handOver(connection: Connection, options: Omit<HandOver, 'connection'>): void {
    this.handOvers.add({ ...options, connection });
  }

  retarget(pod: PodRef | undefined): void {
    if (pod && this.pool && pod.podUid === this.pod.podUid && pod.pod === this.pod.pod) return;
    this.handOvers.dispose();
    this.pool?.dispose(podGone(this.pod));
    this.pod = pod ?? this.pod;
    this.pool = pod && this.newPool(pod);
  }

  dispose(): void {
    this.server.close();
    this.handOvers.dispose();
    for (const local of this.locals) local.resetAndDestroy();
    this.pool?.dispose();
    this.pool = undefined;
    this.disposing.fire();
  }

  private newPool(pod: PodRef): SessionPool {
    return new SessionPool(signal => this.options.dial(pod, signal), this.options.limits);
  }

  private accept(local: Socket): void {
    const { maxConnections } = this.options.limits;
    if (this.talking >= maxConnections) {
      local.resetAndDestroy();
      return this.problem(tooManyConnections(this.port, maxConnections));
    }
    this.locals.add(local);
    const gone = new AbortController();
    this.talking++;
    local.once('end', () => this.talking--);
    local.on('error', () => undefined); // its close tells
    local.on('close', () => {
      this.locals.delete(local);
      if (!local.readableEnded) this.talking--;
      gone.abort(new Error('the client went away'));
    });
    this.connect(local, gone.signal).catch((error: unknown) => {
      if (gone.signal.aborted) return;
      local.resetAndDestroy();
      this.problem(error as Error);
    });
  }

  private async connect(local: Socket, gone: AbortSignal): Promise<void> {
    const handOver = this.handOvers.take();
    const remote = handOver ? await this.greeted(handOver, local) : await this.dial(gone);
    bridge(local, remote, error => this.problem(error));
  }

  /** A stranger that does not greet well must not use up the connection: closing it can start a suspended program. */
  private async greeted(handOver: HandOver, local: Socket): Promise<Connection> {
    try {
      await handOver.greet?.(local);
    } catch (error) {
      this.handOvers.add(handOver);
      throw error;
    }
    local.pause();
    return handOver.connection;
  }

  private problem(error: Error): void {
    this.options.log(`forward to ${this.pod.namespace}/${this.pod.pod} port ${this.options.port}: ${error.message}`);
    this.problems.fire(error);
  }
}

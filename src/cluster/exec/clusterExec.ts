import type { Readable } from 'node:stream';
import type { ContainerRef, Exec, ExecResult } from '../../core/contracts.ts';
import { rawText } from '../../core/errors.ts';
import { DeadlineError, within } from '../../lib/deadline.ts';
import type { Access } from '../access.ts';
import type { DialTarget } from '../forward/request.ts';
import { DEFAULT_LIMITS } from '../forward/session.ts';
import type { ExecCall, ExecChannel } from './channel.ts';
import { outcomeOf } from './outcome.ts';
import { execLost, execTimedOut, noExecTransport, notStarted, refusedFor, tooMuchOutput } from './problems.ts';
import { spdyExec } from './spdyExec.ts';
import { webSocketExec } from './webSocketExec.ts';

/** The ways to run a program, best first: SPDY needs the fewest rights, v4 cannot end an input. */
export const EXEC_TRANSPORTS = ['spdy', 'v5', 'v4'] as const;

export type ExecTransport = (typeof EXEC_TRANSPORTS)[number];

export interface ExecOptions {
  /** Throws for a cluster that is not known. */
  accessOf(cluster: string): Access;
  /** Takes a line for people: why a transport did not work. Contains foreign text, raw. */
  log?(text: string): void;
  readonly transports?: readonly ExecTransport[];
  /** One try of one transport. */
  readonly dialMs?: number;
}

/** What each of the two outputs may have, in bytes. */
const MOST_OUTPUT_BYTES = 4 << 20;

/** `Exec` over the API server, by the same connections and logins as forwards. */
export class ClusterExec implements Exec {
  private readonly options: ExecOptions;

  constructor(options: ExecOptions) {
    this.options = options;
  }

  async run(
    at: ContainerRef,
    command: readonly string[],
    { signal, limitMs }: { signal: AbortSignal; limitMs: number },
  ): Promise<ExecResult> {
    const program = command[0] ?? '';
    let channel: ExecChannel | undefined;
    try {
      return await within(limitMs, signal, async limited => {
        channel = await this.start(at, { container: at.container, command }, limited);
        return await resultOf(channel, at, program);
      });
    } catch (error) {
      if (error instanceof DeadlineError && !signal.aborted) throw execTimedOut(at, program, limitMs);
      throw error;
    } finally {
      channel?.close();
    }
  }

  /** Starts a program over the first transport that works. Throws `UserError`, or the reason of `signal`. */
  async start(at: ContainerRef, call: ExecCall, signal: AbortSignal): Promise<ExecChannel> {
    const { accessOf, log, transports = EXEC_TRANSPORTS, dialMs = DEFAULT_LIMITS.dialMs } = this.options;
    const target: DialTarget = { access: accessOf(at.cluster), pod: at, dialMs };
    const reasons: string[] = [];
    for (const transport of transports) {
      try {
        const channel = await open(transport, target, call, signal);
        channel.outcome.catch(() => undefined); // whoever gives up before the end hears no more of it
        return channel;
      } catch (error) {
        if (signal.aborted) throw error;
        const refused = refusedFor(target, at, error);
        if (refused) throw refused;
        reasons.push(`${transport}: ${rawText(error)}`);
        log?.(`exec in ${at.namespace}/${at.pod}: ${reasons.at(-1)}`);
      }
    }
    throw noExecTransport(at, reasons);
  }
}

const open = (transport: ExecTransport, target: DialTarget, call: ExecCall, signal: AbortSignal) =>
  transport === 'spdy' ? spdyExec(target, call, signal) : webSocketExec(target, call, transport, signal);

async function resultOf(channel: ExecChannel, at: ContainerRef, program: string): Promise<ExecResult> {
  const tooMuch = new AbortController();
  const [stdout, stderr] = [channel.stdout, channel.stderr].map(stream => gather(stream, () => tooMuch.abort()));
  const status = await new Promise<string>((resolve, reject) => {
    tooMuch.signal.addEventListener('abort', () => reject(tooMuchOutput(at, program, MOST_OUTPUT_BYTES)));
    channel.outcome.then(resolve, (cause: unknown) => reject(execLost(at, program, cause)));
  });
  const outcome = outcomeOf(status);
  if ('failure' in outcome) throw notStarted(at, program, outcome.failure);
  return { code: outcome.code, stdout: stdout!(), stderr: stderr!() };
}

/** Keeps what a program writes; the node tells how it ended only after all of it. */
function gather(stream: Readable, onTooMuch: () => void): () => string {
  const pieces: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MOST_OUTPUT_BYTES) return onTooMuch();
    pieces.push(piece);
  });
  return () => Buffer.concat(pieces).toString();
}

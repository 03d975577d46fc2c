import { dirname } from 'node:path';
import type { SkaffoldLaunch, SkaffoldProcess } from '../../core/runs.ts';
import { commandOf } from '../../lib/command.ts';
import { freePort } from '../../lib/freePort.ts';
import type { GuardOrder, StopLimits } from '../guard/order.ts';
import { argumentsOf } from './arguments.ts';
import { environmentOf } from './environment.ts';
import { Guarded } from './guarded.ts';
import { Output } from './output.ts';
import { PortWords } from './portWords.ts';
import { skaffoldNotStarted } from './problems.ts';
import { untilListening } from './untilListening.ts';

/** What a start needs beside the launch. */
export interface StartOptions {
  /** The guard's program: a file that our own Node runs. */
  readonly guard: string;
  /** How long Skaffold has to end when this process is gone. */
  readonly limits?: StopLimits;
  /** How long its port is waited for; by default ten seconds. */
  readonly patienceMs?: number;
  /** For tests; by default a free port. */
  readonly pickPort?: () => Promise<number>;
}

/** Helm takes up to minutes; who waits for it is not here any more. */
const stopLimits: StopLimits = { cleanUpMs: 60_000, terminateMs: 10_000 };

/** How often it is started when others take its port. */
const MOST_STARTS = 4;

/**
 * Starts `skaffold debug` behind a guard that ends it when this process goes, however it goes. Resolves when its RPC port
 * listens, when it has ended by itself before, or when the patience is over. Throws `UserError` when it cannot be started, and the
 * reason of `signal`, which ends it; later it does nothing.
 */
export async function startSkaffold(
  launch: SkaffoldLaunch,
  signal: AbortSignal,
  options: StartOptions,
): Promise<SkaffoldProcess> {
  const { pickPort = freePort, patienceMs = 10_000 } = options;
  const output = new Output();
  for (let starts = 1; ; starts++) {
    signal.throwIfAborted();
    const wanted = await pickPort();
    const words = new PortWords(wanted);
    const skaffold = new Guarded(options.guard, orderOf(launch, wanted, options), piece => {
      if (piece.stream === 'stderr') words.push(piece.text);
      output.push(piece);
    });
    const pid = await pidOf(skaffold, launch);
    await untilListening(pid, words, skaffold.ended, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));
    if (signal.aborted) skaffold.abandon();
    signal.throwIfAborted();
    if (words.isTaken && starts < MOST_STARTS) {
      await skaffold.ended;
      output.push({
        stream: 'stderr',
        text: `Port ${wanted} was taken meanwhile. Skaffold is started with another.\n`,
      });
      continue;
    }
    return {
      ...{ port: words.port, pid, onOutput: output.event, ended: skaffold.ended },
      interrupt: () => skaffold.tell('interrupt'),
      terminate: () => skaffold.tell('terminate'),
      kill: () => skaffold.tell('kill'),
      leave: () => skaffold.leave(),
    };
  }
}

function orderOf(launch: SkaffoldLaunch, port: number, { limits = stopLimits }: StartOptions): GuardOrder {
  const env = environmentOf(launch, process.env);
  const command = commandOf(launch.binary, argumentsOf(launch, port), env);
  if (!command) throw skaffoldNotStarted(launch.binary, 'it was not found on PATH');
  return { ...command, cwd: dirname(launch.file), env, limits };
}

async function pidOf(skaffold: Guarded, { binary }: SkaffoldLaunch): Promise<number> {
  try {
    return await skaffold.started;
  } catch (error) {
    throw skaffoldNotStarted(binary, error);
  }
}

import { failureText, UserError } from '../core/errors.ts';
import { EventLog } from '../core/eventLog.ts';
import { Feed } from '../core/feed.ts';
import { Store } from '../core/store.ts';
import { followSkaffold } from '../skaffold/follow.ts';
import { runningTime } from './connect.ts';
import { numberOf, parse, portOf, required } from './options.ts';
import type { Output } from './output.ts';
import { printLog } from './printLog.ts';

const DRAIN_MS = 2000;

/** `follow --rpc-port N`: what a running Skaffold says, until it ends or `signal` aborts; then how its drain went. */
export async function followCommand(args: readonly string[], output: Output, signal: AbortSignal): Promise<void> {
  const parsed = parse(args, ['rpc-port', 'drain-timeout'] as const);
  const port = portOf('rpc-port', required(parsed, 'rpc-port'));
  const limit = parsed.own['drain-timeout'];
  const drainMs = limit === undefined ? DRAIN_MS : numberOf('drain-timeout', limit, { least: 0, most: 600_000 });
  const log = new EventLog(() => new Date());
  const store = new Store(log);
  printLog(log, output);
  const source = followSkaffold({ port, stop: runningTime(signal, parsed.common), drainMs });
  await new Feed(source, store, error => output.say(String(error))).done;
  const drained = log.records.findLast(({ kind }) => kind === 'drainEvent');
  if (drained) output.data({ drain: drained.body });
  const stopped = [...store.state.sources.values()].find(state => state.kind === 'stopped');
  if (stopped) throw new UserError(stopped.failure.code, failureText(stopped.failure));
}

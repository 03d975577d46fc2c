import { failureText, rawText, UserError } from '../core/errors.ts';
import { EventLog } from '../core/eventLog.ts';
import { Feed } from '../core/feed.ts';
import { followInto } from '../core/followedRun.ts';
import { Store } from '../core/store.ts';
import { aborted } from '../lib/abortable.ts';
import { sleep } from '../lib/backoff.ts';
import { disposable } from '../lib/disposable.ts';
import { startEventService } from '../service/eventService.ts';
import { skaffolds } from '../skaffold/control.ts';
import { followSkaffold } from '../skaffold/follow.ts';
import { skaffoldSourceName } from '../skaffold/sourceName.ts';
import { connect, type Connection, runningTime } from './connect.ts';
import { numberOf, type Parsed, parse, portOf } from './options.ts';
import type { Output } from './output.ts';
import { version } from './version.ts';
import { podsOf, refusal, refused } from './watch.ts';

/** How long the last of a Skaffold is waited for, in milliseconds. */
const DRAIN_MS = 2000;

/** How much longer the end may take, in milliseconds. */
const LATE_MS = 1000;

type Options = Parsed<'grpc-port' | 'http-port' | 'skaffold'>;

/**
 * `serve`: the event service for the pods of a cluster and, where one is named, a running Skaffold; until `signal` aborts, or
 * nothing is left to tell of.
 */
export async function serveCommand(args: readonly string[], output: Output, signal: AbortSignal): Promise<void> {
  const options: Options = parse(args, ['grpc-port', 'http-port', 'skaffold']);
  const until = runningTime(signal, options.common);
  const [grpcPort, httpPort] = [listenPort(options, 'grpc-port'), listenPort(options, 'http-port')];
  const skaffold = options.own.skaffold === undefined ? undefined : portOf('skaffold', options.own.skaffold);
  const cluster = await clusterOf(options, skaffold !== undefined, output);
  const log = new EventLog(() => new Date());
  const store = new Store(log);
  // What is wrong is said; why nothing is left is said once, at the end.
  log.onDidAppend(({ level, entry }) => level === 'info' || refusal(store.state) || output.say(entry));
  const service = await startEventService({ log, store, skaffolds, version, grpcPort, httpPort });
  const pods = cluster && new Feed(podsOf(cluster), store, error => output.say(`The watch ended: ${rawText(error)}`));
  const run = skaffold === undefined ? undefined : join(skaffold, store, output);
  try {
    output.data({ grpc: service.grpcPort, http: service.httpPort });
    const over = run ? Promise.all([run.drained, pods?.done]) : Promise.race([pods?.done, refused(store)]);
    await Promise.race([aborted(until), over]);
    run?.stop();
    // What has come can take longer than its time to get into the log.
    await Promise.race([run?.drained, sleep(DRAIN_MS + LATE_MS)]);
    run?.leave();
  } finally {
    pods?.dispose();
    await service.close();
  }
  const failure = refusal(store.state);
  if (failure) throw new UserError(failure.code, failureText(failure));
}

const listenPort = ({ own }: Options, name: 'grpc-port' | 'http-port'): number =>
  own[name] === undefined ? 0 : numberOf(name, own[name], { least: 0, most: 65_535, whole: true });

/** Without a kubeconfig a Skaffold can still be served. */
async function clusterOf({ common }: Options, isOptional: boolean, output: Output): Promise<Connection | undefined> {
  try {
    return await connect(common);
  } catch (error) {
    if (!isOptional || !(error instanceof UserError)) throw error;
    output.say(`Only Skaffold is served: ${error.message}`);
    return undefined;
  }
}

const join = (port: number, store: Store, output: Output) =>
  followInto({
    watch(name, source) {
      const feed = new Feed(source, store, error => output.say(`The reading of ${name} ended: ${rawText(error)}`));
      return disposable(() => feed.dispose());
    },
    name: skaffoldSourceName(port),
    about: { port, origin: 'given', name: `port ${port}` },
    open: signals => followSkaffold({ port, drainMs: DRAIN_MS, ...signals }),
  });

import { detect } from '../cluster/detect/detect.ts';
import { remarksOn } from '../cluster/detect/remarks.ts';
import { watchScopes } from '../cluster/watch/scopes.ts';
import { type Failure, failureText, rawText, UserError } from '../core/errors.ts';
import { EventLog } from '../core/eventLog.ts';
import { Feed, type Source } from '../core/feed.ts';
import type { SlotId } from '../core/identity.ts';
import type { SourceState, State } from '../core/model.ts';
import { rowsOf } from '../core/selectors.ts';
import { Store } from '../core/store.ts';
import { aborted } from '../lib/abortable.ts';
import { connect, type Connection, runningTime } from './connect.ts';
import { parse } from './options.ts';
import type { Output } from './output.ts';
import { printLog } from './printLog.ts';
import { rowData } from './rowData.ts';

/** `watch`: rows as they change, events, and how the watch is doing. Fails when no namespace can be watched. */
export async function watchCommand(args: readonly string[], output: Output, signal: AbortSignal): Promise<void> {
  const { common } = parse(args, []);
  const until = runningTime(signal, common);
  const connection = await connect(common);
  const log = new EventLog(() => new Date());
  const store = new Store(log);
  printLog(log, output);
  const printer = new ChangePrinter(output);
  store.onDidChange(state => printer.print(state));
  const stopped = refused(store);
  const feed = new Feed(podsOf(connection), store, error => output.say(`The watch ended: ${rawText(error)}`));
  await Promise.race([aborted(until), feed.done, stopped]);
  feed.dispose();
  const failure = refusal(store.state);
  if (failure) throw new UserError(failure.code, failureText(failure));
}

/** Resolves when no source may watch. */
export const refused = (store: Store): Promise<void> =>
  new Promise(resolve => {
    const listening = store.onDidChange(state => {
      if (!refusal(state)) return;
      listening.dispose();
      resolve();
    });
  });

/** Why no source may watch; `undefined` when one may. Whoever runs a command wants to know, not to wait for a right. */
export function refusal(state: State): Failure | undefined {
  const states = [...state.sources.values()];
  const stopped = states.find(({ kind }) => kind === 'stopped');
  return stopped?.kind === 'stopped' && states.every(({ kind }) => kind === 'stopped') ? stopped.failure : undefined;
}

/** The pods of a connection's namespaces, as a source. */
export const podsOf = ({ api, access, namespaces }: Connection): Source =>
  watchScopes({
    api,
    detect,
    remarks: remarksOn,
    namespaces: namespaces.filter(namespace => namespace !== undefined),
    fallback: [access.namespace],
  });

/** Prints what differs between one state and the next. */
class ChangePrinter {
  private rows = new Map<SlotId, string>();
  private sources = new Map<string, SourceState>();
  private readonly output: Output;

  constructor(output: Output) {
    this.output = output;
  }

  print(state: State): void {
    const time = new Date().toISOString();
    this.printSources(state, time);
    const rows = new Map<SlotId, string>();
    for (const row of rowsOf(state)) {
      const { slot, namespace, pod, podUid, container } = row.container;
      const text = JSON.stringify(rowData(row));
      rows.set(slot, text);
      if (this.rows.get(slot) !== text) this.output.data({ time, row: rowData(row) });
      this.gone.set(slot, { namespace, pod, podUid, container });
    }
    for (const slot of this.rows.keys()) {
      if (rows.has(slot)) continue;
      this.output.data({ time, gone: this.gone.get(slot) });
      this.gone.delete(slot);
    }
    this.rows = rows;
  }

  private readonly gone = new Map<SlotId, object>();

  private printSources(state: State, time: string): void {
    for (const [source, now] of state.sources) {
      const before = this.sources.get(source);
      if (before === now) continue;
      const detail = 'failure' in now ? { reason: failureText(now.failure) } : {};
      this.output.data({ time, source, state: now.kind, ...detail });
    }
    this.sources = new Map(state.sources);
  }
}

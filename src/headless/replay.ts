import { readFile } from 'node:fs/promises';
import { UserError } from '../core/errors.ts';
import { EventLog } from '../core/eventLog.ts';
import { runRowsOf } from '../core/runRows.ts';
import { rowsOf } from '../core/selectors.ts';
import { Store } from '../core/store.ts';
import type { SkaffoldEvent } from '../skaffold/event.ts';
import { fromJson } from '../skaffold/fromJson.ts';
import { byTime, keyOf } from '../skaffold/order.ts';
import { tellingOf } from '../skaffold/telling.ts';
import { parse, UsageError } from './options.ts';
import type { Output } from './output.ts';
import { printLog } from './printLog.ts';
import { rowData, runData } from './rowData.ts';

/** `replay FILE…`: recorded streams of Skaffold, of either service, as the log has them; then the rows that remain, and what each run did last. */
export async function replayCommand(args: readonly string[], output: Output): Promise<void> {
  const { rest: files } = parse(args, [], Number.MAX_SAFE_INTEGER);
  if (files.length === 0) throw new UsageError('no file given');
  const all: (readonly SkaffoldEvent[])[] = [];
  for (const file of files) all.push(await eventsIn(file, output));
  const events = all.flat();
  const log = new EventLog(() => new Date());
  const store = new Store(log);
  printLog(log, output);
  const hasV1 = events.some(({ api }) => api === 'v1');
  const seen = new Set<string>();
  for (const event of events.toSorted(byTime)) {
    if (seen.size === seen.add(keyOf(event)).size) continue; // a recording has it again after each reconnection
    const telling = tellingOf(event, 'skaffold', { hasV1 });
    if (telling) store.apply(telling);
  }
  const rows = rowsOf(store.state);
  output.data({ rows: rows.map(rowData), runs: runRowsOf(store.state, rows).map(runData) });
}

/** What cannot be read of a file is said, and the rest goes on: a stream that was cut has half a line at its end. */
async function eventsIn(file: string, output: Output): Promise<readonly SkaffoldEvent[]> {
  const lines = (await textOf(file)).split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = fromJson(line);
    if ('event' in parsed) return [parsed.event];
    output.say(`${file}, line ${index + 1}, ${parsed.problem}`);
    return [];
  });
}

async function textOf(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe; // by the `>` of Windows PowerShell
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
  } catch (error) {
    throw new UserError('recording-unreadable', `The recording ${file} cannot be read.`, { cause: error });
  }
}

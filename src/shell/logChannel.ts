import type * as vscode from 'vscode';
import type { EventLog } from '../core/eventLog.ts';
import type { LogRecord } from '../core/logRecord.ts';
import type { Disposable } from '../lib/disposable.ts';
import { oneLine } from '../lib/plainText.ts';

/** Writes each record of the log to the channel: a line for people, and all of it at the level `trace`. */
export function writeLog(log: EventLog, channel: vscode.LogOutputChannel): Disposable {
  const write = (record: LogRecord) => {
    channel[record.level](oneLine(lineOf(record)));
    channel.trace(oneLine(JSON.stringify(record), 100_000));
  };
  for (const record of log.records) write(record);
  return log.onDidAppend(write);
}

/** Two sources can tell the same of a container, and several Skaffolds may run: a line of one names it, unless its words do. */
const lineOf = ({ source, entry }: LogRecord): string =>
  source.startsWith('skaffold:') && !entry.includes(source) ? `[${source}] ${entry}` : entry;

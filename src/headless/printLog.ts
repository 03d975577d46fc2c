import type { EventLog } from '../core/eventLog.ts';
import type { Output } from './output.ts';

/** Prints each record of the log as it comes. */
export function printLog(log: EventLog, output: Output): void {
  log.onDidAppend(({ time, number: _number, ...event }) => output.data({ time, event, entry: event.entry }));
}

// A process of its own between the extension host and Skaffold. It outlives the host, so that Skaffold is stopped, and
// deletes what it deployed, also when the host is killed; and it reads on for a Skaffold that is left alone, since Skaffold
// takes a closed output as a wish to end (skaffold: cmd/skaffold/skaffold.go, SIGPIPE).
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Group } from './group.ts';
import { type GuardCommand, guardCommands, type GuardOrder, type GuardReport } from './order.ts';

/** How long output is waited for after the end: what has left the group may hold it open for ever. */
const LINGER_MS = 2000;

function report(what: GuardReport): void {
  try {
    writeSync(3, `${JSON.stringify(what)}\n`);
  } catch {
    // nobody is there any more
  }
}

/** Passes output on, as fast as it is taken; reads it all the same when nobody is there any more. */
function relay(from: Readable, to: Writable): void {
  let isWanted = true;
  to.on('error', () => {
    isWanted = false;
    from.resume();
  });
  to.on('drain', () => from.resume());
  from.on('data', (chunk: Buffer) => {
    if (isWanted && !to.write(chunk)) from.pause();
  });
}

function start(order: GuardOrder): Group {
  const group = new Group(order);
  const { child } = group;
  relay(child.stdout!, process.stdout);
  relay(child.stderr!, process.stderr);
  child.on('error', error => {
    if (child.pid === undefined) report({ kind: 'failed', cause: error.message });
  });
  if (child.pid !== undefined) report({ kind: 'started', pid: child.pid });
  child.once('exit', () =>
    setTimeout(() => [child.stdout, child.stderr].map(one => one!.destroy()), LINGER_MS).unref(),
  );
  child.once('close', (code, signal) => {
    if (child.pid !== undefined) report({ kind: 'ended', code, signal });
    process.stdin.destroy(); // and with that this process ends, when its output has been taken
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => group.stop());
  return group;
}

/** Most of what can be wrong comes as an event, some as an exception. */
function tryToStart(order: GuardOrder): Group | undefined {
  try {
    return start(order);
  } catch (error) {
    report({ kind: 'failed', cause: error instanceof Error ? error.message : String(error) });
    process.stdin.destroy();
    return undefined;
  }
}

let group: Group | undefined;
let isLeft = false;

const perform: Readonly<Record<GuardCommand, () => void>> = {
  interrupt: () => group?.interrupt(),
  terminate: () => group?.terminate(),
  kill: () => group?.kill(),
  leave: () => (isLeft = true),
};

const isCommand = (word: string): word is GuardCommand => guardCommands.some(command => command === word);

createInterface({ input: process.stdin })
  .on('line', line => {
    if (isCommand(line)) perform[line]();
    else group = tryToStart(JSON.parse(line) as GuardOrder);
  })
  .on('close', () => {
    if (!isLeft) group?.stop();
  });
process.stdin.on('error', () => undefined); // its end follows

// A program that starts a Skaffold, as an extension host does, and then is ended by a test: `parent.ts ORDER`, of JSON.
import { createInterface } from 'node:readline';
import type { SkaffoldLaunch } from '../../../src/core/runs.ts';
import { startSkaffold, type StartOptions } from '../../../src/skaffold/process/startSkaffold.ts';

/** What it is told to start. */
export interface ParentOrder {
  readonly launch: SkaffoldLaunch;
  readonly options: StartOptions;
}

const { launch, options } = JSON.parse(process.argv[2]!) as ParentOrder;
const skaffold = await startSkaffold(launch, new AbortController().signal, options);
createInterface({ input: process.stdin }).on('line', command => {
  if (command === 'leave') skaffold.leave();
  if (command === 'interrupt') skaffold.interrupt();
  process.stdout.write(`${command} done\n`);
});
process.stdout.write(`${JSON.stringify({ pid: skaffold.pid, port: skaffold.port })}\n`);

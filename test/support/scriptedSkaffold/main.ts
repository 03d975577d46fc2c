// A Skaffold that plays a scenario: `skaffold version`, and `skaffold debug` with both of its APIs over real gRPC.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startSkaffoldServer } from '../skaffoldServer.ts';
import { callsOf } from './calls.ts';
import { Play } from './play.ts';
import { type Happening, readScenario } from './scenario.ts';

/** Nobody waits for it longer: it ends by itself when a test forgets it. */
const LIFE_MS = 10 * 60_000;

const scenario = readScenario();
const { faults = {}, record } = scenario;
const isFirst = !existsSync(record);
const note = (what: Happening): void => appendFileSync(record, `${JSON.stringify(what)}\n`);

/** Ends at once with these last words on stderr. */
function end(code: number, words: string): never {
  process.stderr.write(words);
  process.exit(code);
}

/** A process of its own in its group, as builders and `kubectl port-forward` are. */
async function startChild(kind: 'polite' | 'stubborn'): Promise<void> {
  const deaf = kind === 'stubborn' ? `for (const s of ['SIGINT', 'SIGTERM']) process.on(s, () => {});` : '';
  const child = spawn(process.execPath, ['-e', `${deaf} setTimeout(() => {}, ${LIFE_MS}); console.log('ready')`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data'); // now it is deaf, if it shall be
  note({ kind: 'child', pid: child.pid! });
}

/** Sees nothing and hears nothing any more. */
const deadlock = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LIFE_MS);

async function listen(wanted: number): Promise<Play> {
  const busy = (port: number) => `listen tcp 127.0.0.1:${port}: bind: address already in use`;
  const failure = (port: number) => `initializing api server: starting gRPC server: creating listener: ${busy(port)}\n`;
  if (faults.busyPort && isFirst) end(1, failure(wanted));
  const calls = callsOf(
    () => play,
    (name, request) => note({ kind: 'call', name, request }),
    faults.alreadyExists,
  );
  const open = (port: number) =>
    startSkaffoldServer({ port, v1Calls: calls, ...(faults.hasNoV2 ? { hasNoV2: true } : {}) });
  const server = await open(wanted).catch(() => {
    if (!faults.movesPort) end(1, failure(wanted));
    return open(0);
  });
  if (server.port !== wanted && wanted !== 0)
    process.stderr.write(`WARN[0000] starting gRPC server on port ${server.port}. (${wanted} is already in use)\n`);
  note({ kind: 'listening', port: server.port });
  const play: Play = new Play(scenario, server, note);
  return play;
}

async function debug(args: string[]): Promise<void> {
  note({
    kind: 'start',
    pid: process.pid,
    args,
    cwd: process.cwd(),
    env: { ...process.env } as Record<string, string>,
  });
  setTimeout(() => process.exit(3), LIFE_MS).unref();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      note({ kind: 'signal', name });
      if (name === 'SIGINT' && faults.ignoresSigint) return;
      void playing.then(play => play.end()).then(() => process.exit(0));
    });
  for (const { stream, text } of scenario.says ?? []) process[stream].write(text);
  if (faults.child) await startChild(faults.child);
  if (faults.slowStartMs) await new Promise(resolve => setTimeout(resolve, faults.slowStartMs));
  const { values } = parseArgs({ args, options: { 'rpc-port': { type: 'string' } }, strict: false });
  const playing = listen(Number(values['rpc-port'] ?? 0));
  const play = await playing;
  if (!(await play.iterate())) {
    await play.end();
    end(1, `build failed: ${faults.failingBuild?.message}\n`);
  }
  if (faults.afterDeploy === 'crash')
    end(2, 'panic: runtime error: invalid memory address or nil pointer dereference\n');
  if (faults.afterDeploy === 'killed') process.kill(process.pid, 'SIGKILL');
  if (faults.afterDeploy === 'deadlock') deadlock();
}

const [command, ...args] = process.argv.slice(2);
if (command === 'version') console.log(scenario.version ?? 'v2.24.0');
else if (command === 'debug') await debug(args);
else end(127, `unknown command "${command}" for "skaffold"\n`);

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { failureOf, failureText } from '../core/errors.ts';
import { startDemo, type Demo } from './demo.ts';

const USAGE = `Usage: main [--dir DIR] [--sources DIR] [--traffic] [--java auto|off]

Starts the demo cluster and prints a JSON line when it is ready. Commands are lines on standard input:
  restart NAMESPACE/POD CONTAINER   restarts a container in place
  replace NAMESPACE/POD             deletes a pod; its successor appears
  rollout NAMESPACE/DEPLOYMENT      builds from the workspace and rolls out
  api stop, api start               kills and starts the API server
  quit                              ends the demo, as the end of standard input does
POD may be the name of its deployment.
`;

type Command = (demo: Demo, ...args: readonly string[]) => Promise<object>;

const COMMANDS: Readonly<Record<string, Command>> = {
  restart: async (demo, pod = '', container = '') => ({ containerID: await demo.restart(...split(pod), container) }),
  replace: async (demo, pod = '') => ({ pod: await demo.replace(...split(pod)) }),
  rollout: async (demo, deployment = '') => ({ pod: await demo.rollout(...split(deployment)) }),
  api: async (demo, what) => {
    if (what === 'stop') await demo.killApiServer();
    else if (what === 'start') await demo.startApiServer();
    else throw new Error('api stop or api start is needed.');
    return {};
  },
  quit: async demo => {
    await demo.stop();
    return {};
  },
};

function split(text: string): [string, string] {
  const [namespace = '', name = ''] = text.split('/');
  return [namespace, name];
}

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

async function perform(demo: Demo, line: string): Promise<void> {
  const [name = '', ...args] = line.trim().split(/\s+/);
  if (name === '') return;
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new Error(`There is no command ${name}. There are: ${Object.keys(COMMANDS).join(', ')}.`);
    print({ command: line.trim(), ok: true, ...(await command(demo, ...args)) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    print({ command: line.trim(), ok: false, error: reason });
  }
}

/** The folder `media/demo` above this program, both in the sources and in the packed extension. */
function ownSources(): string {
  for (let folder = dirname(resolve(process.argv[1]!)); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'media', 'demo', 'README.md'))) return join(folder, 'media', 'demo');
  throw new Error('The sources of the demo (media/demo) are missing.');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string' },
      sources: { type: 'string' },
      traffic: { type: 'boolean', default: false },
      java: { type: 'string', default: 'auto' },
    },
  });
  if (values.java !== 'auto' && values.java !== 'off') throw new Error('--java is auto or off.');
  const temporary = values.dir === undefined ? await mkdtemp(join(tmpdir(), 'breakpod-demo-')) : undefined;
  const demo = await startDemo({
    directory: resolve(values.dir ?? temporary!),
    sources: values.sources ?? ownSources(),
    traffic: values.traffic,
    java: values.java,
    onNote: note => console.error(note),
  });
  print({ kubeconfig: demo.kubeconfigFile, workspace: demo.workspace, server: demo.server });
  await untilTold(demo);
  await demo.stop();
  if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
}

/** Performs commands until one says quit, standard input ends, or a signal comes. */
function untilTold(demo: Demo): Promise<void> {
  return new Promise(resolve => {
    const end = () => resolve();
    process.once('SIGINT', end).once('SIGTERM', end);
    const lines = createInterface({ input: process.stdin });
    let queue = Promise.resolve(); // one command after the other, so that each answer belongs to its line
    lines.on('line', line => {
      queue = queue.then(() => perform(demo, line)).then(() => (line.trim() === 'quit' ? end() : undefined));
    });
    lines.once('close', () => void queue.then(end));
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`${failureText(failureOf(error))}\n\n${USAGE}`);
    process.exit(1);
  },
);

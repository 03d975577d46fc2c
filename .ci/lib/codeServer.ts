// A real VS Code without a desktop: code-server, the workbench in a browser and the extension host in Node.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommand } from './command.ts';
import { inRoot } from './paths.ts';

const folder = inRoot('node_modules', 'code-server');
const program = join(folder, 'out', 'node', 'entry.js');

/** Those of VS Code's own extensions that matter to debugging: no Git, no TypeScript server, no AI, no sign-in. */
const builtins = [
  ...['ms-vscode.js-debug', 'ms-vscode.js-debug-companion', 'ms-vscode.vscode-js-profile-table'],
  ...['debug-auto-launch', 'debug-server-ready', 'configuration-editing', 'log'],
  ...['go', 'java', 'javascript', 'json', 'python', 'typescript-basics', 'yaml', 'docker', 'markdown-basics', 'ini'],
  ...['theme-defaults', 'theme-modern-icons', 'theme-seti'],
];

export interface CodeServerOptions {
  /** A folder of this server alone; `user-data` and `builtins` are made in it. */
  readonly home: string;
  readonly extensionsDir: string;
  /** The whole of the user's settings. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The whole environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Folders of unpacked extensions that are there without being installed. */
  readonly unpacked?: readonly string[];
  /** More of code-server's own options. */
  readonly args?: readonly string[];
}

export interface CodeServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly base: string;
  readonly pid: number;
  /** Everything it has printed. */
  output(): string;
  /** The address of a window on a folder. `payload` is VS Code's own list of key and value. */
  windowUrl(folder: string, payload?: readonly (readonly [string, string])[]): string;
  stop(): Promise<void>;
}

/** Installs a VSIX as a person would on the command line. Throws with code-server's words. */
export async function installVsix(
  vsix: string,
  options: { home: string; extensionsDir: string; env: NodeJS.ProcessEnv },
) {
  const { ok, output } = await runCommand(
    process.execPath,
    [program, '--install-extension', vsix, '--force', ...foldersOf(options)],
    { env: options.env, timeoutMs: 60_000 },
  );
  if (!ok) throw new Error(`The VSIX could not be installed:\n${output}`);
}

/** Starts a server on a free port of 127.0.0.1. Throws with its output when it ends instead of listening. */
export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const userFolder = join(options.home, 'user-data', 'User');
  mkdirSync(userFolder, { recursive: true });
  writeFileSync(join(userFolder, 'settings.json'), JSON.stringify(options.settings, undefined, 2));
  const child = spawn(process.execPath, [program, ...argumentsOf(options)], {
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group of its own: its children end with it
  });
  const killAtExit = () => killGroup(child, 'SIGKILL');
  process.once('exit', killAtExit);
  const { base, output } = await listening(child);
  return {
    base,
    pid: child.pid!,
    output,
    windowUrl(path, payload = []) {
      const all = [['skipWelcome', 'true'], ['skipReleaseNotes', 'true'], ...payload];
      return `${base}/?folder=${encodeURIComponent(path)}&payload=${encodeURIComponent(JSON.stringify(all))}`;
    },
    async stop() {
      process.off('exit', killAtExit);
      await endGroup(child);
    },
  };
}

const foldersOf = ({ home, extensionsDir }: { home: string; extensionsDir: string }): string[] => [
  ...['--user-data-dir', join(home, 'user-data'), '--extensions-dir', extensionsDir],
  ...['--config', join(home, 'code-server.yaml')],
];

const argumentsOf = (options: CodeServerOptions): string[] => [
  ...['--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-proxy'],
  ...[
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-workspace-trust',
    '--disable-getting-started-override',
  ],
  ...foldersOf(options),
  ...['--vscode-option', `builtin-extensions-dir=${linkBuiltins(options)}`],
  ...['--vscode-option', 'disable-experiments'],
  ...(options.args ?? []),
];

function linkBuiltins({ home, unpacked = [] }: CodeServerOptions): string {
  const target = join(home, 'builtins');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  const all = builtins.map(name => join(folder, 'lib', 'vscode', 'extensions', name)).filter(path => existsSync(path));
  for (const path of [...all, ...unpacked]) symlinkSync(path, join(target, path.split(/[\\/]/).at(-1)!), 'dir');
  return target;
}

function listening(child: ChildProcess): Promise<{ base: string; output: () => string }> {
  let text = '';
  const output = () => text;
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const base = /HTTP server listening on (http:\/\/\S+?)\/?\s/.exec(text)?.[1];
      if (base) resolve({ base, output });
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`code-server has ended with ${code}:\n${text}`)));
  });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // every process of the group has ended
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise(resolve => child.once('exit', resolve));
    killGroup(child, 'SIGTERM');
    await Promise.race([exited, delay(3000, undefined, { ref: false })]);
  }
  killGroup(child, 'SIGKILL'); // whichever of its children did not hear
}

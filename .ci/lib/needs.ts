// What tests and the demo need beside the project's own npm packages, and how it gets onto the machine.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runCommand, runNpm, whichOf } from './command.ts';
import { inRoot } from './paths.ts';

/** Something that may have to be installed. Every function of these says what it does on stderr. */
export interface Need {
  /** For people, as the object of "installing". */
  readonly name: string;
  isThere(): boolean | Promise<boolean>;
  /** Throws an `Error` that says what to do. */
  install(): Promise<void>;
}

/** Installs a need that is missing. Throws an `Error` that says what to do. */
export async function provide(need: Need): Promise<void> {
  if (await need.isThere()) return;
  console.error(`Installing ${need.name} …`);
  await need.install();
  if (!(await need.isThere())) throw new Error(`${need.name} was installed, but is still not found.`);
}

const browsers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/** A browser of Chromium's kind: the one that `CHROMIUM` names, else one of this machine's. */
export const findChromium = (): string | undefined =>
  process.env['CHROMIUM'] ??
  whichOf(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chromium-headless-shell']) ??
  browsers[process.platform]?.find(file => existsSync(file));

let isPackageListFresh = false;

/** Debian's and Ubuntu's packages, as root or by a `sudo` that asks for no password. */
export async function aptInstall(name: string, otherwise: string): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (!whichOf(['apt-get']) || (!isRoot && !whichOf(['sudo']))) throw new Error(otherwise);
  const apt = async (...args: string[]) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const command = ['apt-get', '-qq', ...args];
    const { ok, output } = isRoot
      ? await runCommand(command[0]!, command.slice(1), { env })
      : await runCommand('sudo', ['-n', '--preserve-env=DEBIAN_FRONTEND', ...command], { env });
    if (!ok) throw new Error(`${command.join(' ')} failed. ${otherwise}\n${output.trim()}`);
  };
  if (!isPackageListFresh) await apt('update');
  isPackageListFresh = true;
  await apt('install', '-y', '--no-install-recommends', name);
}

export const chromium: Need = {
  name: 'Chromium (apt-get, about half a minute)',
  isThere: () => findChromium() !== undefined,
  install: () =>
    aptInstall('chromium', 'Please install Chromium or Chrome; the variable CHROMIUM can name its program.'),
};

export const jdk: Need = {
  name: 'a JDK (apt-get, about half a minute)',
  isThere: async () => (await runCommand('javac', ['-version'])).ok,
  install: () => aptInstall('default-jdk-headless', 'Please install a JDK (17 or newer), with javac on the PATH.'),
};

export const curl: Need = {
  name: 'curl (apt-get, a few seconds)',
  isThere: async () => (await runCommand('curl', ['--version'])).ok,
  install: () => aptInstall('curl', 'Please install curl.'),
};

const importDebugpy = ['-c', 'import debugpy'];

/** A Python that has debugpy: Debian's own, or the first one. */
export async function findDebugpy(): Promise<string | undefined> {
  for (const python of ['/usr/bin/python3', 'python3', 'python'])
    if ((await runCommand(python, importDebugpy)).ok) return python;
  return undefined;
}

export const debugpy: Need = {
  name: 'debugpy (apt-get, about 10 seconds)',
  isThere: async () => (await findDebugpy()) !== undefined,
  install: () => aptInstall('python3-debugpy', 'Please install Python 3 with debugpy ("pip install debugpy").'),
};

const serverFolder = inRoot('test', 'e2e', 'vscode');
const serverStamp = join(serverFolder, 'node_modules', '.installed-lock');
const serverLock = () =>
  createHash('sha256')
    .update(readFileSync(join(serverFolder, 'package-lock.json')))
    .digest('hex');

/** Where the browser looks for some of the modules: not by Node's resolution. */
const linkInServer = inRoot('node_modules', 'code-server', 'lib', 'vscode', 'node_modules');

/** The modules that VS Code's server loads; code-server's own install step would bring and compile ten times as much. */
export const serverModules: Need = {
  name: "the modules of VS Code's server (npm, about 20 seconds)",
  isThere: () =>
    existsSync(linkInServer) && existsSync(serverStamp) && readFileSync(serverStamp, 'utf8') === serverLock(),
  async install() {
    const { ok, output } = await runNpm(['ci', '--ignore-scripts'], { cwd: serverFolder });
    if (!ok) throw new Error(`npm ci in test/e2e/vscode failed; it needs the npm registry.\n${output.trim()}`);
    rmSync(linkInServer, { recursive: true, force: true });
    const target = relative(dirname(linkInServer), join(serverFolder, 'node_modules'));
    symlinkSync(target, linkInServer, process.platform === 'win32' ? 'junction' : 'dir');
    writeFileSync(serverStamp, serverLock());
  },
};

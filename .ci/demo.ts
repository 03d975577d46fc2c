// `npm run demo`: a real VS Code in the browser, with Breakpod installed, on the demo cluster. Ctrl+C ends everything.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CodeServer, installVsix, startCodeServer } from './lib/codeServer.ts';
import { whichOf } from './lib/command.ts';
import { type DemoCluster, startDemoCluster } from './lib/demoCluster.ts';
import { jdk, provide, serverModules } from './lib/needs.ts';
import { out } from './lib/paths.ts';
import { packageExtension } from './package.ts';

/** A person's VS Code: as it comes, without questions and tours that have nothing to do with the demo. */
const settings = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'readme',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'security.workspace.trust.enabled': false,
  'remote.autoForwardPorts': false,
};

/** The person's own environment, with the demo's cluster in place of theirs. */
function environment(kubeconfig: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|VSCODE_|NODE_OPTIONS$|INIT_CWD$)/.test(name));
  return { ...Object.fromEntries(own), KUBECONFIG: kubeconfig };
}

/** Opens the address in the person's browser where there is a screen to show it on. */
function openBrowser(url: string): boolean {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  const hasScreen = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
  if (!hasScreen || !whichOf([opener, `${opener}.exe`])) return false;
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined) // the address is printed, too
    .unref();
  return true;
}

function greeting(url: string, cluster: DemoCluster, isOpen: boolean): string {
  const port = new URL(url).port;
  const where = isOpen
    ? ['It opens in your browser. If it does not:', `  ${url}`]
    : [
        'Open this address in a browser on this machine:',
        `  ${url}`,
        'or, from another machine, through a tunnel:',
        `  ssh -L ${port}:127.0.0.1:${port} ${hostname()}`,
      ];
  return [
    '',
    'VS Code is running on the demo cluster.',
    ...where,
    '',
    'Try it: open web/src/server.ts and click left of the line "const total = totalOf(basket);" to set a breakpoint.',
    'Then open Run and Debug, unfold Debug Containers at its bottom, and click the row "web".',
    '',
    'kubectl works on its pods, too:',
    `  KUBECONFIG=${cluster.kubeconfig} kubectl get pods -A`,
    '',
    'Ctrl+C ends VS Code and the cluster.',
  ].join('\n');
}

/** What is missing is said, not fatal: the demo's other services run without Java. */
async function provideJava(): Promise<void> {
  await provide(jdk).catch((error: Error) => console.error(`The demo runs without its Java service. ${error.message}`));
}

const interrupted = new Promise<void>(resolve => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
});

function endedByItself(): never {
  throw new Error('The demo cluster has ended by itself.');
}

async function main(): Promise<void> {
  if (process.platform === 'win32')
    throw new Error('code-server, the VS Code of this demo, does not run on Windows; use WSL.');
  await provide(serverModules);
  await provideJava();
  const vsix = await packageExtension();
  const home = mkdtempSync(join(tmpdir(), 'breakpod-vscode-'));
  let cluster: DemoCluster | undefined;
  let server: CodeServer | undefined;
  try {
    console.error('Starting the demo cluster …');
    cluster = await startDemoCluster(join(out, 'demo.cjs'));
    console.error('Starting VS Code …');
    const folders = { home, extensionsDir: join(home, 'extensions'), env: environment(cluster.kubeconfig) };
    mkdirSync(folders.extensionsDir);
    await installVsix(vsix, folders);
    server = await startCodeServer({ ...folders, settings });
    const url = server.windowUrl(cluster.workspace);
    console.log(greeting(url, cluster, openBrowser(url)));
    await Promise.race([interrupted, cluster.ended.then(endedByItself)]);
  } finally {
    console.error('\nEnding VS Code and the demo cluster …');
    await server?.stop();
    await cluster?.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

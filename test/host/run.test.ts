import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { inRoot } from '../../.ci/lib/paths.ts';
import { startDemo } from '../../src/demo/demo.ts';
import { launchBrowser } from '../e2e/support/browser.ts';
import { type Host, startHost } from '../e2e/support/host.ts';
import type { Result } from './cases.ts';

const LIMIT_MS = 90_000;

/** Bundles the tests that are to run inside the extension host; returns the file. */
async function bundleSuite(folder: string): Promise<string> {
  const outfile = join(folder, 'suite.cjs');
  await build({
    entryPoints: [inRoot('test', 'host', 'suite.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return outfile;
}

/**
 * Opens a window in which VS Code runs the suite, and waits until it says that it is done. The extension under test is
 * the installed one, as it came out of the VSIX.
 */
async function runSuite(
  t: TestContext,
  host: Host,
  { suite, folder }: { suite: string; folder: string },
): Promise<void> {
  const [installed] = globSync(join(host.home, 'extensions', 'breakpod.breakpod-*'));
  assert.ok(installed, 'the VSIX is installed');
  const browser = await launchBrowser(join(host.home, 'profile'));
  t.after(() => browser.close());
  const page = await browser.newPage();
  const said: string[] = [];
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) =>
    said.push(`${type}: ${args.join(' ')}`),
  );
  const ended = new Promise<number>(resolve => void page.exposeFunction('codeAutomationExit', resolve));
  const remote = (path: string) => `vscode-remote://${new URL(host.base).host}${path}`;
  const payload = [
    ['extensionDevelopmentPath', remote(installed)],
    ['extensionTestsPath', remote(suite)],
  ] as const;
  await page.goto(host.windowUrl(folder, payload), { waitUntil: 'commit' });
  const limit = new Promise<string>(resolve => setTimeout(resolve, LIMIT_MS, 'no end').unref());
  assert.equal(
    await Promise.race([ended, limit]),
    0,
    `the suite ends; the window said:\n${said.slice(-20).join('\n')}`,
  );
}

function resultsIn(file: string): Result[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];
  return lines.map(line => JSON.parse(line) as Result);
}

test('inside the extension host', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'breakpod-host-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const demo = await startDemo({ directory: join(directory, 'demo'), sources: inRoot('media', 'demo'), java: 'off' });
  t.after(() => demo.stop());
  const results = join(directory, 'results.ndjson');
  const host = await startHost({
    smokeTestDriver: true,
    env: { KUBECONFIG: demo.kubeconfigFile, HOST_RESULTS: results },
  });
  t.after(() => host.stop());
  const failure = await runSuite(t, host, { suite: await bundleSuite(directory), folder: demo.workspace }).catch(
    (error: unknown) => error,
  );
  for (const { name, error } of resultsIn(results))
    await t.test(name, () => {
      if (error !== undefined) throw new Error(error);
    });
  assert.ifError(failure);
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import type { BrowserContext, PageScreenshotOptions } from 'playwright-core';
import { inRoot, out } from '../../../.ci/lib/paths.ts';
import { launchBrowser } from './browser.ts';
import { DebugUi } from './debugUi.ts';
import { type Host, type HostOptions, startHost } from './host.ts';
import type { Probe } from './probe.ts';
import { Workbench } from './workbench.ts';

/** Where screenshots go, and what is left of a test that has failed. */
const shotsFolder = process.env['E2E_SHOTS'] ?? join(out, 'e2e');

/** The pictures of the README are made by the tests, when this is set. */
const picturesFolder = process.env['E2E_PICTURES'] ? inRoot('media', 'screenshots') : shotsFolder;

/** The part of a window that tells something: pictures are to be small. */
const pictureArea = { x: 0, y: 0, width: 1180, height: 724 };

/** One window: what a person sees and does, and the probe inside its extension host. */
export interface TestWindow {
  readonly workbench: Workbench;
  readonly debug: DebugUi;
  readonly probe: Probe;
  readonly folder: string;
  /** Takes a screenshot. */
  shot(name: string): Promise<void>;
  /** Takes a picture for the README. */
  picture(name: string): Promise<void>;
}

export interface VsCode {
  readonly host: Host;
  readonly browser: BrowserContext;
  /** A folder of this test file alone, removed at its end. */
  readonly scratch: string;
  /** Opens a window; it is closed when the test ends. Without a folder, an empty one is made. */
  openWindow(t: TestContext, folder?: string): Promise<TestWindow>;
}

/**
 * One VS Code server and one browser for all tests of a file, one window with an extension host of its own for each test.
 * `options` is called before the first test, so that it can start what the environment is to name.
 */
export function useVsCode(options: () => HostOptions | Promise<HostOptions> = () => ({})): VsCode {
  let host: Host | undefined;
  let browser: BrowserContext | undefined;
  let ready: Promise<void> | undefined;
  const scratch = mkdtempSync(join(tmpdir(), 'breakpod-test-'));

  async function start(): Promise<void> {
    mkdirSync(shotsFolder, { recursive: true });
    mkdirSync(picturesFolder, { recursive: true });
    const startBrowser = async () => (browser = await launchBrowser(join(scratch, 'profile')));
    const startServer = async () => (host = await startHost(await options()));
    // Both have started, or failed, when this ends: nothing comes up after the clean-up.
    for (const part of await Promise.allSettled([startBrowser(), startServer()]))
      if (part.status === 'rejected') throw part.reason;
  }

  before(() => (ready = start()));

  after(async () => {
    await ready?.catch(() => undefined); // where no test has the name asked for, Node calls this before "before" is over
    await browser?.close();
    await host?.stop();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('VS Code is there only while tests run');
    return part;
  };

  return {
    scratch,
    get host() {
      return started(host);
    },
    get browser() {
      return started(browser);
    },
    openWindow: (t, folder = mkdtempSync(join(scratch, 'window-'))) =>
      openWindow(t, folder, started(host), started(browser)),
  };
}

async function openWindow(t: TestContext, folder: string, host: Host, browser: BrowserContext): Promise<TestWindow> {
  const probe = host.probe(folder);
  const workbench = await Workbench.open(browser, host.windowUrl(folder));
  const save = async (directory: string, name: string, options: PageScreenshotOptions = {}) => {
    await workbench.page.screenshot({ ...options, path: join(directory, `${name}.png`) });
  };
  t.after(async () => {
    if (!hasPassed(t)) await keepEvidence(t.name.replace(/\W+/g, '-').slice(0, 80), { workbench, probe, host });
    probe.close();
    await workbench.close();
    assert.deepEqual(workbench.outside, [], 'the window asked nothing of another machine');
  });
  await probe.connect();
  return {
    workbench,
    debug: new DebugUi(workbench),
    probe,
    folder,
    shot: name => save(shotsFolder, name),
    picture: name => save(picturesFolder, name, { clip: pictureArea }),
  };
}

/** Node's types lack this property of a test's context. */
const hasPassed = (t: TestContext): boolean => (t as TestContext & { readonly passed: boolean }).passed;

/** What helps to find out why a test has failed. */
async function keepEvidence(name: string, parts: { workbench: Workbench; probe: Probe; host: Host }): Promise<void> {
  const { workbench, probe, host } = parts;
  const path = join(shotsFolder, `failed-${name}`);
  await workbench.page.screenshot({ path: `${path}.png` }).catch(() => undefined);
  const events = await probe.events().catch((error: unknown) => String(error));
  const evidence = { events, errors: workbench.errors, logs: host.logs(), server: host.output() };
  writeFileSync(`${path}.json`, JSON.stringify(evidence, undefined, 1));
  console.error(`Screenshot, debug messages and logs are in ${path}.png and .json. The window shows:`);
  printLines(await workbench.visibleText().catch((error: unknown) => [String(error)]));
  console.error('The last lines of the Breakpod log:');
  printLines((host.newestLog() ?? 'There is none: the extension was not activated.').trim().split('\n').slice(-40));
}

const printLines = (lines: readonly string[]): void => {
  for (const line of lines) console.error(`  ${line.slice(0, 500)}`);
};

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { inRoot } from '../../../.ci/lib/paths.ts';
import { type Demo, startDemo } from '../../../src/demo/demo.ts';
import type { HostOptions } from './host.ts';
import { type TestWindow, useVsCode, type VsCode } from './suite.ts';

/** The title of Breakpod's view. */
export const view = 'Debug Containers';

export interface DemoVsCode extends VsCode {
  /** Throws before the first test has begun. */
  readonly demo: Demo;
  /** A window with the view open; without a folder, on an empty one, which has chosen nothing yet. */
  openView(t: TestContext, folder?: string): Promise<TestWindow>;
}

/**
 * As `useVsCode`, with a demo cluster that KUBECONFIG names and an extension that brings the debug type `java`. `env` is
 * called before the first test.
 */
export function useDemo(env: () => HostOptions['env'] = () => ({})): DemoVsCode {
  const directory = mkdtempSync(join(tmpdir(), 'breakpod-demo-'));
  let running: Demo | undefined;
  const vscode = useVsCode(async () => {
    running = await startDemo({ directory, sources: inRoot('media', 'demo'), traffic: true });
    return { env: { KUBECONFIG: running.kubeconfigFile, ...env() }, extensions: ['java'] };
  });
  after(async () => {
    await running?.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    scratch: vscode.scratch,
    get host() {
      return vscode.host;
    },
    get browser() {
      return vscode.browser;
    },
    openWindow: (t, folder) => vscode.openWindow(t, folder),
    get demo() {
      assert.ok(running, 'the demo cluster runs');
      return running;
    },
    async openView(t, folder) {
      const window = await vscode.openWindow(t, folder);
      await window.workbench.openDebugView(view);
      return window;
    },
  };
}

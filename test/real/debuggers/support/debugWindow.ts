import assert from 'node:assert/strict';
import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { inRoot } from '../../../../.ci/lib/paths.ts';
import { view } from '../../../e2e/support/demoWindow.ts';
import { isVerified } from '../../../e2e/support/probe.ts';
import type { ProbeEvent } from '../../../e2e/support/probeProtocol.ts';
import type { TestWindow, VsCode } from '../../../e2e/support/suite.ts';
import { deletePod, statusesOf } from '../../cluster/faults/pods.ts';
import { isReady, kubectlJson, type KubeObject } from '../../cluster/kubectl.ts';
import { run, until } from '../../cluster/run.ts';
import type { Cluster } from '../../cluster/state.ts';
import { kubectlForward } from '../../support/kubectlForward.ts';
import { type Sample, sources } from './samples.ts';

/** One container in Breakpod's list, as its API tells it. */
export interface Row {
  readonly id: string;
  readonly pod: string;
  readonly workload: string;
  readonly state: string;
  readonly waitsForYou: boolean;
  readonly localPort?: number;
  readonly failure?: string;
}

/** A window on the samples in which one of them is debugged. */
export class DebugWindow {
  readonly window: TestWindow;
  private readonly cluster: Cluster;
  private readonly sample: Sample;

  private constructor(window: TestWindow, cluster: Cluster, sample: Sample) {
    this.window = window;
    this.cluster = cluster;
    this.sample = sample;
  }

  /** Opens the window with the sample's source in the editor. */
  static async open(t: TestContext, vscode: VsCode, cluster: Cluster, sample: Sample): Promise<DebugWindow> {
    const folder = mkdtempSync(join(vscode.scratch, 'window-'));
    cpSync(sources, folder, { recursive: true });
    if (sample.name === 'node') await compile(join(folder, 'node'));
    const window = await vscode.openWindow(t, folder);
    const { workbench } = window;
    await workbench.openDebugView(view);
    await workbench.fold('Run'); // makes room
    await workbench.openFile(sample.file);
    return new DebugWindow(window, cluster, sample);
  }

  /** The ready pod of the Deployment that nobody has deleted. */
  readyPod(): Promise<KubeObject> {
    const { name } = this.sample;
    return until(`a ready pod of ${name}`, async () => {
      const { items } = await kubectlJson(this.cluster, ['get', 'pods', '-n', 'shop', '-l', `app=${name}`]);
      return items.find(pod => !pod.metadata.deletionTimestamp && isReady(pod));
    });
  }

  /** The rows of the Deployment. */
  async rows(): Promise<Row[]> {
    const all = await this.window.probe.run(api =>
      (api.extensions.getExtension('breakpod.breakpod')!.exports as { rows(): Row[] }).rows(),
    );
    return all.filter(({ workload }) => workload === this.sample.name);
  }

  /** Waits until the Deployment has one row, and that one is as it should be. */
  rowIs(what: string, isRight: (row: Row) => boolean): Promise<Row> {
    return until(`a row of ${this.sample.name} that is ${what}`, async () => {
      const [row, ...others] = await this.rows();
      if (row && others.length === 0 && isRight(row)) return row;
      throw new Error(JSON.stringify([row, ...others]));
    });
  }

  async ready(pod: string): Promise<void> {
    await this.rowIs(`ready, of ${pod}`, row => row.pod === pod && row.state === 'ready');
  }

  async state(state: string): Promise<void> {
    await this.rowIs(state, row => row.state === state);
  }

  /** Attaches, by what the row's button calls, and waits until the debugger has bound the breakpoint. */
  async attach(): Promise<Row> {
    await this.untilBound(() => this.call('attach'));
    return this.rowIs('attached', ({ localPort }) => localPort !== undefined);
  }

  /** Deletes the pod under its debugger, and waits until the debugger is on the next one, with the breakpoint bound. */
  async replace(pod: string): Promise<{ readonly next: KubeObject; readonly row: Row }> {
    await this.untilBound(() => deletePod(this.cluster, pod, '--wait=false'));
    const next = await this.readyPod();
    const { name } = next.metadata;
    return { next, row: await this.rowIs(`attached, of ${name}`, row => row.pod === name && row.state === 'attached') };
  }

  /** Waits until a breakpoint has been bound since the beginning of the work. */
  private async untilBound(work: () => Promise<unknown>): Promise<void> {
    const before = (await this.window.probe.events()).length;
    await work();
    const isNew = (event: ProbeEvent, at: number) => at >= before && isVerified(event);
    await until('a verified breakpoint', async () => (await this.window.probe.events()).some(isNew));
  }

  async detach(): Promise<void> {
    await this.call('detach');
    await this.state('ready');
    await this.window.debug.isOver();
  }

  /** Rejects with the message that the row shows. */
  private async call(action: 'attach' | 'detach'): Promise<void> {
    const { id } = await this.rowIs('there', () => true);
    await this.window.probe.run(
      async (api, name, of) => {
        const own = api.extensions.getExtension<Record<string, (id: string) => Promise<void>>>('breakpod.breakpod')!;
        await own.exports[name]!(of);
      },
      action,
      id,
    );
  }

  /** Visits the service. The answer comes when no breakpoint holds it. */
  async visit(pod: string, path: string): Promise<string> {
    const forward = await kubectlForward(this.cluster, `pod/${pod}`, 8080);
    try {
      const response = await fetch(`http://127.0.0.1:${forward.port}${path}`, { signal: AbortSignal.timeout(120_000) });
      return await response.text();
    } finally {
      await forward.close();
    }
  }

  /** Visits, and waits until the breakpoint holds the visit: the marked line, and the right value of a variable. */
  async hit(pod: string, path: string): Promise<{ readonly answer: Promise<string> }> {
    const { debug, workbench } = this.window;
    const { quote } = this.sample;
    const answer = this.visit(pod, path);
    answer.catch(() => undefined); // told to whoever waits for it
    await debug.stopped(this.sample.file, this.sample.line);
    await this.state('paused');
    await workbench.page
      .locator('.debug-variables .monaco-list-row')
      .filter({ hasText: new RegExp(`^path\\s*=\\s*${quote}${path}${quote}`) })
      .waitFor();
    return { answer };
  }

  /** The container has not been restarted, and answers. */
  async isUnharmed(pod: KubeObject, path: string): Promise<void> {
    const { name } = this.sample;
    assert.match(await this.visit(pod.metadata.name, path), new RegExp(`^${name} ${path} \\d+\n$`));
    const now = await kubectlJson(this.cluster, ['get', 'pod', pod.metadata.name, '-n', 'shop']);
    assert.equal(now.metadata.uid, pod.metadata.uid);
    for (const { state, restartCount } of statusesOf(now)) assert.deepEqual([!!state.running, restartCount], [true, 0]);
  }
}

/** js-debug reads the source maps that stand beside the compiled files here; those in the container it cannot reach. */
const compile = (folder: string): Promise<string> =>
  run(process.execPath, [
    ...[inRoot('node_modules/typescript/bin/tsc'), '-p', folder],
    ...['--typeRoots', inRoot('node_modules', '@types')],
  ]);

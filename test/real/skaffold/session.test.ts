// F5 in the real VS Code with a real Skaffold on the real node: four runtimes, three builders, debuggers of each.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { view } from '../../e2e/support/demoWindow.ts';
import { isVerified } from '../../e2e/support/probe.ts';
import type { ProbeEvent } from '../../e2e/support/probeProtocol.ts';
import { type TestWindow, useVsCode } from '../../e2e/support/suite.ts';
import { afterSuite, temporaryDirectory } from '../../integration/demo/support.ts';
import { allGone } from '../../support/linuxProcesses.ts';
import { podNamed } from '../cluster/faults/pods.ts';
import { kubeconfigOf } from '../cluster/kubeconfig.ts';
import { kubectlJson } from '../cluster/kubectl.ts';
import { until } from '../cluster/run.ts';
import type { Cluster } from '../cluster/state.ts';
import { javaDapClassPath } from '../debuggers/needs.ts';
import { clusterFor, skip } from '../support/clusterFor.ts';
import { kubectlForward } from '../support/kubectlForward.ts';
import { prepareProject, type Project, registryOf } from './project.ts';
import { environmentFor, settingsFor, withoutSkaffold } from './skaffold.ts';
import { pushSupportImages } from './supportImages.ts';

const limit = { timeout: 900_000 };
/** A first build has all of its caches to fill. */
const builds = { timeoutMs: 400_000, everyMs: 200 };

/** Where each service answers a visit; the condition leaves the kubelet's own visits alone. */
const breakpoints: Readonly<Record<string, Readonly<{ file: string; text: string; condition?: string }>>> = {
  web: { file: 'web/server.js', text: 'response.end(', condition: `request.url === '/hello'` },
  report: { file: 'report/server.py', text: 'self.send_response(200)', condition: `self.path == '/hello'` },
  stock: { file: 'stock/main.go', text: 'fmt.Fprintf(w, "stock' },
  orders: { file: 'orders/src/main/java/sample/Orders.java', text: 'return "orders' },
};

/** js-debug's own sessions are below the one that has the name of the pod. */
const isOf = ({ session }: ProbeEvent, pod: string): boolean =>
  [session.name, session.parent].some(name => name?.includes(pod));

interface Row {
  readonly pod: string;
  readonly workload: string;
  readonly container: string;
  readonly state: string;
  readonly failure?: string;
}

suite('a session with a real Skaffold', { skip: withoutSkaffold ?? skip }, () => {
  let cluster: Cluster;
  let project: Project;
  let launch: Record<string, unknown>;
  const vscode = useVsCode(async () => {
    cluster = await clusterFor(after, { name: 'skaffold-session', hasPods: false });
    const folder = temporaryDirectory(after);
    const home = join(folder, 'home');
    const supportImages = await pushSupportImages(registryOf(cluster));
    project = await prepareProject(join(folder, 'project'), registryOf(cluster));
    const { HOME, PATH, GOCACHE, GOMODCACHE } = await environmentFor({ home, supportImages });
    launch = {
      ...{ type: 'breakpod', request: 'launch', name: 'Sample', namespace: 'shop' },
      ...{ skaffoldFile: '${workspaceFolder}/skaffold.yaml', skaffoldPath: process.env['SKAFFOLD'] },
      args: settingsFor({ cluster, home }),
      env: { HOME, PATH, ...(GOCACHE ? { GOCACHE, GOMODCACHE } : {}) },
    };
    return {
      env: { KUBECONFIG: kubeconfigOf(cluster, 'admin'), JAVA_DAP: javaDapClassPath },
      extensions: [join(import.meta.dirname, '..', 'debuggers', 'extension')],
    };
  });
  const after = afterSuite();

  async function open(t: TestContext, more: object = {}): Promise<TestWindow> {
    mkdirSync(join(project.folder, '.vscode'), { recursive: true });
    const configurations = [{ ...launch, ...more }];
    writeFileSync(join(project.folder, '.vscode', 'launch.json'), JSON.stringify({ version: '0.2.0', configurations }));
    const window = await vscode.openWindow(t, project.folder);
    await window.workbench.openDebugView(view);
    for (const other of ['Variables', 'Watch', 'Breakpoints']) await window.workbench.fold(other); // makes room
    return window;
  }

  const lineOf = (name: string): number => {
    const { file, text } = breakpoints[name]!;
    const lines = readFileSync(join(project.folder, file), 'utf8').split('\n');
    return lines.findIndex(line => line.includes(text)) + 1;
  };

  const setBreakpoint = ({ probe }: TestWindow, name: string) =>
    probe.run(
      (api, path, line, condition) => {
        const at = new api.Location(api.Uri.file(path), new api.Position(line - 1, 0));
        api.debug.addBreakpoints([new api.SourceBreakpoint(at, true, condition)]);
      },
      join(project.folder, breakpoints[name]!.file),
      lineOf(name),
      breakpoints[name]!.condition,
    );

  const rowOf = async ({ probe }: TestWindow, name: string, isSo: (row: Row) => boolean): Promise<Row> => {
    let seen: readonly Row[] = [];
    const look = async () => {
      seen = await probe.run(api =>
        (api.extensions.getExtension('breakpod.breakpod')!.exports as { rows(): Row[] }).rows(),
      );
      return seen.find(row => row.workload === name && row.container === 'main' && isSo(row));
    };
    return until(`a row of ${name}`, look, builds).catch((error: unknown) => {
      throw new Error(`${String(error)}; ${JSON.stringify(seen, null, 1)}\n${vscode.host.newestLog()}`);
    });
  };

  /** Visits a service, and waits until its breakpoint holds the visit. */
  async function hit({ debug, probe }: TestWindow, name: string, pod: string): Promise<void> {
    await probe.until(`a breakpoint bound in ${pod}`, event => isVerified(event) && isOf(event, pod));
    const forward = await kubectlForward(cluster, `pod/${pod}`, 8080);
    try {
      const visit = fetch(`http://127.0.0.1:${forward.port}/hello`, { signal: AbortSignal.timeout(120_000) });
      const answer = visit.then(response => response.text());
      answer.catch(() => undefined); // told below
      await debug.stopped(breakpoints[name]!.file, lineOf(name));
      await debug.resume();
      assert.match(await answer, new RegExp(`^${name} `));
    } finally {
      await forward.close();
    }
  }

  const log = (pattern: RegExp) =>
    until(
      String(pattern),
      () =>
        vscode.host
          .newestLog()
          ?.split('\n')
          .findLast(line => pattern.test(line)),
      builds,
    );

  const edit = (file: string, from: string, to: string) => {
    const path = join(project.folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  };

  /** Asks again and again: Skaffold does nothing when it has not yet seen the edit. */
  async function apply({ workbench }: TestWindow, isDone: () => Promise<boolean>): Promise<void> {
    for (let i = 0; i < 20 && !(await isDone()); i++) {
      await workbench.command('Breakpod: Apply Changes Now');
      for (let waited = 0; waited < 5_000 && !(await isDone()); waited += 250) await delay(250);
    }
  }

  const skaffoldPid = (): number =>
    Number(/Started skaffold debug for "Sample" \(process (\d+),/.exec(vscode.host.newestLog() ?? '')?.[1]);

  test('F5, a breakpoint in each runtime, an edit, a source that does not compile, Stop', limit, async t => {
    const names = project.built.map(({ name }) => name);
    for (const [name, why] of project.obstacles) t.diagnostic(`${name} is left out: ${why}`);
    const window = await open(t);
    const { workbench, shot } = window;
    const run = (text: RegExp) => workbench.row(text, workbench.view(view)).first();
    for (const name of names) await setBreakpoint(window, name);
    await workbench.page.keyboard.press('F5');
    await log(/Started skaffold debug for "Sample"/);
    const pods = new Map<string, string>();
    for (const name of names) pods.set(name, (await rowOf(window, name, ({ state }) => state === 'attached')).pod);
    for (const name of names) await hit(window, name, pods.get(name)!);
    await shot('real-skaffold');

    edit('web/server.js', 'version = 1', 'version = 2');
    const isAnother = async () => (await run(/Sample.*(building|deploying|checking)/).isVisible()) || isReplaced();
    const isReplaced = async () => {
      const { items } = await kubectlJson(cluster, ['get', 'pods', '-n', 'shop', '-l', 'app=web']);
      return items.some(({ metadata }) => metadata.name !== pods.get('web'));
    };
    await apply(window, isAnother);
    const next = await rowOf(window, 'web', ({ pod, state }) => pod !== pods.get('web') && state === 'attached');
    await hit(window, 'web', next.pod);

    const broken = names.includes('stock') ? 'stock' : 'orders';
    const { file, text } = breakpoints[broken]!;
    edit(file, text, `this does not compile ${text}`);
    await apply(window, () => run(new RegExp(`failed.*${broken}`)).isVisible());
    await run(new RegExp(`failed.*${broken}`)).waitFor();
    await log(new RegExp(`Build of ${broken} failed: `));
    edit(file, 'this does not compile ', '');
    await apply(window, async () => !(await run(new RegExp(`failed.*${broken}`)).isVisible()));
    await run(/Sample.*running/).waitFor({ timeout: builds.timeoutMs });

    const pid = skaffoldPid();
    await workbench.command('Breakpod: Stop Skaffold Session');
    assert.match(await log(/Stopped reading skaffold:/), /: \d+ events in the last \d+ ms, complete/);
    await allGone([pid]);
    await until(
      'the last pod to go',
      async () => {
        const { items } = await kubectlJson(cluster, ['get', 'pods', '-n', 'shop']);
        return items.length === 0;
      },
      builds,
    );
    await window.debug.isOver();
  });

  test('Stop without a clean-up: what was deployed runs on', limit, async t => {
    const window = await open(t, { cleanUp: false, autoAttach: 'never' });
    const [name] = project.built.map(service => service.name);
    await window.workbench.page.keyboard.press('F5');
    const { pod } = await rowOf(window, name!, ({ state }) => state === 'ready');
    const pid = skaffoldPid();
    await window.workbench.command('Breakpod: Stop Skaffold Session');
    await log(/Stopped reading skaffold:/);
    await allGone([pid]);
    const { metadata } = await podNamed(cluster, pod);
    assert.equal(metadata.deletionTimestamp, undefined);
  });
});

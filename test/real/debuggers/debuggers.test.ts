// Real debuggers of four languages, in the real VS Code, on programs of a real Kubernetes node, by Breakpod's own forward.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { afterSuite } from '../../integration/demo/support.ts';
import { useVsCode } from '../../e2e/support/suite.ts';
import { kubectl } from '../cluster/kubectl.ts';
import { kubeconfigOf } from '../cluster/kubeconfig.ts';
import type { Cluster } from '../cluster/state.ts';
import { clusterFor, skip } from '../support/clusterFor.ts';
import { javaDapClassPath } from './needs.ts';
import { DebugWindow } from './support/debugWindow.ts';
import { samples, waitingPatch } from './support/samples.ts';

suite('real debuggers', { skip }, () => {
  let cluster: Cluster;
  const vscode = useVsCode(async () => {
    cluster = await clusterFor(after, { name: 'debuggers' });
    return {
      env: { KUBECONFIG: kubeconfigOf(cluster, 'dev'), JAVA_DAP: javaDapClassPath },
      extensions: [join(import.meta.dirname, 'extension')],
    };
  });
  const after = afterSuite();

  for (const sample of samples)
    test(`${sample.name}: hit, continue, detach; the debugger goes on with a new pod; the window goes, the program not`, async t => {
      const it = await DebugWindow.open(t, vscode, cluster, sample);
      const { debug, shot } = it.window;
      const pod = await it.readyPod();
      const { name } = pod.metadata;
      await it.ready(name);
      await debug.setBreakpoint(sample.line);
      const { localPort } = await it.attach();
      const { answer } = await it.hit(name, '/first');
      await shot(`real-${sample.name}`);
      await debug.resume();
      assert.match(await answer, new RegExp(`^${sample.name} /first`));
      await it.state('attached');
      await it.detach();
      await it.isUnharmed(pod, '/after'); // with the breakpoint still in the editor

      await it.attach();
      const { next, row } = await it.replace(name);
      assert.equal(row.localPort, localPort);
      await it.hit(next.metadata.name, '/second');
      await it.detach(); // while paused
      await it.isUnharmed(next, '/third');

      await it.attach();
      await it.hit(next.metadata.name, '/fourth');
      await it.window.workbench.page.goto('about:blank'); // while paused
      await it.isUnharmed(next, '/fifth');
    });

  for (const sample of samples)
    test(`${sample.name}: a program that waits for its debugger stops in its first line, then becomes ready`, async t => {
      await kubectl(cluster, ['patch', 'deployment', sample.name, '-n', 'shop', '--patch', waitingPatch(sample)]);
      const it = await DebugWindow.open(t, vscode, cluster, sample);
      const { debug, shot } = it.window;
      const { pod } = await it.rowIs(
        'waiting',
        row => row.state === 'ready' && row.waitsForYou === sample.isKnownToWait,
      );
      await debug.setBreakpoint(sample.firstLine);
      await it.attach();
      await debug.stopped(sample.file, sample.firstLine);
      await shot(`real-${sample.name}-waits`);
      await debug.removeBreakpoint(sample.firstLine); // a probe's handler can stand in the same line
      await debug.resume();
      const { metadata } = await it.readyPod();
      assert.equal(metadata.name, pod);
      await it.detach();
      assert.match(await it.visit(pod, '/begun'), new RegExp(`^${sample.name} /begun 1\n$`));
    });
});

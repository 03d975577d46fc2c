// Real debuggers of four languages, in the real VS Code, on programs of a real Kubernetes node, by Breakpod's own forward.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { afterSuite } from '../../integration/demo/support.ts';
import { useVsCode } from '../../e2e/support/suite.ts';
import { deletePod } from '../cluster/faults/pods.ts';
import { kubeconfigOf } from '../cluster/kubeconfig.ts';
import type { Cluster } from '../cluster/state.ts';
import { clusterFor, skip } from '../support/clusterFor.ts';
import { javaDapClassPath } from './needs.ts';
import { DebugWindow } from './support/debugWindow.ts';
import { samples } from './support/samples.ts';

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
    test(`${sample.name}: hit, continue, detach; a new pod, hit again on the same port; the window goes, the program not`, async t => {
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

      await deletePod(cluster, name, '--wait=false');
      const next = await it.readyPod();
      await it.ready(next.metadata.name);
      assert.equal((await it.attach()).localPort, localPort);
      await it.hit(next.metadata.name, '/second');
      await it.detach(); // while paused
      await it.isUnharmed(next, '/third');

      await it.attach();
      await it.hit(next.metadata.name, '/fourth');
      await it.window.workbench.page.goto('about:blank'); // while paused
      await it.isUnharmed(next, '/fifth');
    });
});

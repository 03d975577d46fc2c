// A breakpoint that lasts longer than a liveness probe allows: the kill is told for what it is.
import test from 'node:test';
import { WORKLOADS } from '../../src/demo/workloads.ts';
import { useDemo } from './support/demoWindow.ts';
import { isVerified } from './support/probe.ts';

const vscode = useDemo();

test('a program that its liveness probe kills at a breakpoint: message and row say so, and it comes back', async t => {
  const api = WORKLOADS.find(({ name }) => name === 'api')!;
  const liveness = {
    http: { path: '/ready', port: 8080 },
    ...{ periodSeconds: 1, timeoutSeconds: 1, failureThreshold: 8 },
  };
  await vscode.demo.run({
    ...api,
    name: 'watched',
    template: directory => {
      const { containers, ...template } = api.template(directory);
      return { ...template, containers: containers.map(one => ({ ...one, name: 'watched', liveness })) };
    },
  });
  const { workbench, debug, probe, shot } = await vscode.openView(t, vscode.demo.workspace);
  await workbench.openFile('api/server.js');
  await debug.setBreakpoint(7);
  await workbench.inlineAction(workbench.row(/watched.*Node\.js · ready/), 'Attach Debugger');
  await probe.until('a verified breakpoint', isVerified);
  const { host, port } = vscode.demo.addressOf('shop', 'watched', 8080)!;
  void fetch(`http://${host}:${port}/`, { signal: AbortSignal.timeout(60_000) }).catch(() => undefined); // it is killed
  await workbench.row(/watched.*paused/).waitFor();
  await workbench
    .notification(
      /killed while it was paused, because its liveness probe \(http\) failed.*will be restarted.*livenessProbe/,
    )
    .waitFor();
  await shot('killed');
  await workbench.row(/watched.*attached/).waitFor();
});

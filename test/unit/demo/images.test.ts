import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { suite, test } from 'node:test';
import { declaredAddress } from '../../../src/demo/kubelet/template.ts';
import { compileTypeScript } from '../../../src/demo/images/typescript.ts';
import { phaseOf } from '../../../src/demo/kubelet/podStatus.ts';
import type { ContainerState, ContainerStatus, PodStatus, RestartPolicy } from '../../../src/demo/api/objects.ts';
import { WORKLOADS } from '../../../src/demo/workloads.ts';

test('the shop’s source map leads each line that a breakpoint is set on back to its source', () => {
  const text = readFileSync(new URL('../../../media/demo/web/src/server.ts', import.meta.url), 'utf8');
  const { code, map } = compileTypeScript(text, { file: 'server.js', source: '../src/server.ts' });
  const line = (of: string, what: string) => of.split('\n').findIndex(one => one.includes(what));
  const marker = 'const total = totalOf(basket);';
  const compiledLine = line(code, marker);
  assert.notEqual(compiledLine, line(text, marker), 'lines move, so that the map is needed');
  const payload = JSON.parse(map) as SourceMapPayload;
  const entry = new SourceMap(payload).findEntry(compiledLine, code.split('\n')[compiledLine]!.indexOf('total')) as {
    originalLine: number;
    originalSource: string;
  };
  assert.deepEqual([entry.originalLine, entry.originalSource], [line(text, marker), '../src/server.ts']);
  assert.match(code, /\n\/\/# sourceMappingURL=server\.js\.map\n$/);
});

test('what the read-me of the workspace says to click on is there', () => {
  const readMe = readFileSync(new URL('../../../media/demo/README.md', import.meta.url), 'utf8');
  const [, file, line] = /Open `(\S+)` and click left of the line `([^`]+)`/.exec(readMe)!;
  assert.ok(readFileSync(new URL(`../../../media/demo/${file}`, import.meta.url), 'utf8').includes(line!));
  for (const { name, namespace, folder } of WORKLOADS)
    assert.match(readMe, new RegExp(`\\| \`${name}\` +\\| \`${namespace}\` +\\| \`${folder}\` +\\|`));
});

test('programs listen where they are told, and the specification shows the container’s view', () => {
  for (const { template } of WORKLOADS)
    for (const container of template('/app').containers) {
      const ports = [...container.ports.map(port => port.containerPort), ...(container.undeclaredPorts ?? [])];
      const words = (at: (port: number) => string) =>
        [...container.command(at), ...Object.values(container.environment?.(at) ?? {})].join(' ');
      for (const port of ports)
        assert.ok(words(declaredAddress).includes(`0.0.0.0:${port}`), `${container.name} ${port}`);
      for (const port of ports) assert.ok(words(asked => `there:${asked}`).includes(`there:${port}`));
      assert.ok(!words(() => 'elsewhere').includes('0.0.0.0'), container.name);
    }
});

suite('phase of a pod', () => {
  const over = (exitCode: number): ContainerState => ({
    terminated: { exitCode, reason: '', startedAt: '', finishedAt: '', containerID: '' },
  });
  const running: ContainerState = { running: { startedAt: '' } };
  const waiting: ContainerState = { waiting: { reason: '' } };
  const rows: [string, [ContainerState, ContainerState?][], RestartPolicy, boolean, PodStatus['phase']][] = [
    ['not started', [[waiting]], 'Always', false, 'Pending'],
    ['one of two started', [[running], [waiting]], 'Always', false, 'Pending'],
    ['running', [[running]], 'Always', false, 'Running'],
    ['between two runs', [[waiting, over(1)]], 'Always', false, 'Running'],
    ['crashed, will be restarted', [[over(1)]], 'Always', false, 'Running'],
    ['one crashed, one runs', [[over(1)], [running]], 'Never', false, 'Running'],
    ['job done', [[over(0)]], 'Never', false, 'Succeeded'],
    ['job failed', [[over(0)], [over(1)]], 'Never', false, 'Failed'],
    ['job failed, will be tried again', [[over(1)]], 'OnFailure', false, 'Running'],
    ['deleted', [[over(143)]], 'Always', true, 'Failed'],
    ['deleted, ended well', [[over(0)]], 'Always', true, 'Succeeded'],
  ];
  for (const [name, states, policy, ending, expected] of rows)
    test(name, () => {
      const statuses = states.map(([state, lastState = {}]) => ({ state, lastState }) as ContainerStatus);
      assert.equal(phaseOf(statuses, policy, ending), expected);
    });
});

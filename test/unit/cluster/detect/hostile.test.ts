import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import type { PodContainer } from '../../../../src/cluster/pods/pod.ts';

const many = 100_000;
const doubling = Array.from({ length: 40 }, (_, i) => ({ name: `A${i + 1}`, value: `$(A${i})$(A${i})` }));
const again = '$@;'.repeat(50);
const long = 'x'.repeat(30_000);

/** Set-ups that keep a careless reader busy for hours, or fill its memory. Each has a debugger where it can still be seen. */
const cases: { name: string; spec: PodContainer; port?: number }[] = [
  {
    name: 'assignments without end',
    spec: { command: ['sh', '-c', `node --inspect=9230 a; ${'a=1 '.repeat(many)}`] },
    port: 9230,
  },
  {
    name: 'exports without end',
    spec: { command: ['sh', '-c', `node --inspect=9230 a; ${'export '.repeat(many)}`] },
    port: 9230,
  },
  { name: 'shells in shells', spec: { command: Array<string>(many).fill('sh') } },
  {
    name: 'options without end',
    spec: { command: ['python', '-m', 'debugpy', '--listen', '5679', ...Array<string>(many).fill('--a')] },
    port: 5679,
  },
  {
    name: 'variables that double',
    spec: { env: [{ name: 'A0', value: 'xx' }, ...doubling], command: ['node', '--inspect=9230', '$(A40)'] },
    port: 9230,
  },
  {
    name: 'assignments that double',
    spec: { command: ['sh', '-c', `A=xx\n${'A="$A$A"\n'.repeat(60)}node --inspect=9230 "$A"`] },
    port: 9230,
  },
  {
    name: 'a script that starts itself',
    spec: {
      command: ['sh', '-c', again, 'x', 'sh', '-c', again, 'x', 'sh', '-c', again, 'x', 'sh', '-c', again, 'x', 'node'],
    },
  },
  {
    name: 'parameters without end',
    spec: { command: ['sh', '-c', `A=${'$@'.repeat(16_000)} node $A`, 'x', long, long] },
  },
  {
    name: 'quoted parameters without end',
    spec: { command: ['sh', '-c', `node "${'$*'.repeat(16_000)}"`, 'x', long, long] },
  },
  {
    name: 'a long variable in each word',
    spec: { env: [{ name: 'A', value: long }], command: Array<string>(1000).fill('$(A)'.repeat(300)) },
  },
  { name: 'substitutions that do not end', spec: { command: ['sh', '-c', '$('.repeat(many)] } },
  { name: 'braces that do not end', spec: { command: ['sh', '-c', '${'.repeat(many)] } },
  { name: 'references that do not end', spec: { command: ['node', '$('.repeat(many)] } },
  { name: 'quotes that do not end', spec: { env: [{ name: 'NODE_OPTIONS', value: `'a"`.repeat(many) }] } },
];

/** In a thread of its own, so that an endless case can be ended. */
const script = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData.module).then(({ detect }) => {
    const spec = { name: 'web', ...workerData.spec };
    parentPort.postMessage(detect(spec, { metadata: { name: 'p' }, spec: { containers: [spec] } }).port);
  });`;
const module = new URL('../../../../src/cluster/detect/detect.ts', import.meta.url).href;

for (const { name, spec, port } of cases)
  test(`hostile set-up: ${name}`, { timeout: 60_000 }, async t => {
    const worker = new Worker(script, { eval: true, workerData: { module, spec } });
    t.after(() => worker.terminate());
    const [found] = (await once(worker, 'message', { signal: t.signal })) as [number | undefined];
    assert.equal(found, port);
  });

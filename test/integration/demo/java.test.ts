import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { WORKLOADS } from '../../../src/demo/workloads.ts';
import { demoFor, eventually } from './support.ts';

const hasJdk = await promisify(execFile)('javac', ['-version']).then(
  () => true,
  () => false,
);

test(
  'orders is compiled, serves HTTP and speaks JDWP',
  { skip: hasJdk || process.env['CI'] ? false : 'no JDK on PATH' },
  async t => {
    const notes: string[] = [];
    const workloads = WORKLOADS.filter(({ name }) => name === 'orders');
    const demo = await demoFor(run => t.after(run), { workloads, java: 'auto', onNote: note => notes.push(note) });
    await eventually('orders to be ready', () => {
      assert.deepEqual(notes, []);
      return demo.store.snapshot().some(({ pod }) => pod.status.containerStatuses?.[0]?.ready) || undefined;
    });
    const address = demo.addressOf('shop', 'orders', 5005)!;
    const greeting = await new Promise<string>((resolve, reject) => {
      const socket = connect(address, () => socket.write('JDWP-Handshake'));
      socket.once('data', chunk => {
        socket.destroy();
        resolve(chunk.toString('latin1'));
      });
      socket.once('error', reject);
    });
    assert.match(greeting, /^JDWP-Handshake/);
  },
);

test('without a JDK orders is left out, and a note says so', async t => {
  const notes: string[] = [];
  const path = process.env['PATH'];
  process.env['PATH'] = '/nonexistent';
  t.after(() => (process.env['PATH'] = path));
  const workloads = WORKLOADS.filter(({ name }) => name === 'orders');
  await demoFor(run => t.after(run), { workloads, java: 'auto', onNote: note => notes.push(note) });
  const note = await eventually('the note', () => notes[0]);
  assert.match(note, /^shop\/orders is left out\. No JDK was found\. .*Install one/);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { type DeadlineError, Patience } from '../../../src/lib/deadline.ts';
import { nextTurn } from '../../../src/lib/turn.ts';

const busyFor = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('patience: the last limit counts, and none after the stop', async () => {
  const over: number[] = [];
  await new Promise<void>(resolve => {
    const patience = new Patience(({ limitMs }: DeadlineError) => {
      over.push(limitMs);
      resolve();
    });
    const stopped = new Patience(({ limitMs }) => void over.push(limitMs));
    stopped.waitFor(1);
    stopped.stop();
    patience.waitFor(1);
    patience.waitFor(2);
  });
  assert.deepEqual(over, [2]);
});

test('patience: what came while the process was busy has come in time', async t => {
  const { port1, port2 } = new MessageChannel();
  t.after(() => port1.close());
  const over: DeadlineError[] = [];
  const patience = new Patience(error => void over.push(error));
  const heard = new Promise<void>(resolve => {
    port1.on('message', () => {
      patience.stop();
      resolve();
    });
  });
  await nextTurn();
  patience.waitFor(1);
  port2.postMessage('an answer');
  busyFor(20);
  await heard;
  await nextTurn();
  assert.deepEqual(over, []);
});

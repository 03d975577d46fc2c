import assert from 'node:assert/strict';
import test from 'node:test';
import { detect } from '../../../src/cluster/detect/detect.ts';
import { podSource } from '../../../src/cluster/watch/podWatch.ts';
import { added, deleted, list, pod, stream } from './frames.ts';
import { limits, Recorder } from './recorder.ts';
import { ScriptedServer } from './server.ts';

const [a, brief, b] = [pod('a', 1), pod('brief', 101), pod('b', 50)];

test('pod watch: what came and went while nobody answered is told, then a list has the last word', async () => {
  const first = await ScriptedServer.start([list(100, [a])]);
  const { api } = first;
  await using recorder = new Recorder(podSource({ api, scope: {}, detect, source: 'pods', limits }));
  await recorder.until(() => recorder.states.at(-1) === 'watching');
  await first.close();
  await recorder.until(() => recorder.failures.filter(text => text.includes('ECONNREFUSED')).length > 2);
  await using last = await ScriptedServer.start([stream(added(brief), deleted(brief)), list(60, [b])], first.port);
  await recorder.until(() => recorder.containers.length === 5);
  assert.deepEqual(recorder.containers, ['= a', '+brief running', '-brief', '+b running', '-a']);
  assert.match(last.requests[0]!, /[?&]resourceVersion=100(&|$)/);
  assert.equal(last.mostWatches, 1);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { status } from '@grpc/grpc-js';
import { debugging, v1Entry } from '../../support/skaffoldServer.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { follow } from './support.ts';

test('a long past arrives once and in order, also when the connection breaks after it, and the log keeps its last part', async t => {
  const events = 20_000;
  const replay = Array.from({ length: events }, (_, n) =>
    v1Entry(n, debugging(`web-${n % 50}`, Math.floor(n / 50) % 2 === 0 ? 'Started' : 'Terminated'), `no. ${n}`),
  );
  const { server, log, store, told, entries } = await follow(t, { replay });
  const all: number[] = [];
  log.onDidAppend(({ kind, entry }) => {
    if (kind === 'debuggingContainerEvent') all.push(Number(entry.slice(4)));
  });
  await told(`no. ${events - 1}`);
  server.endStreams(status.UNAVAILABLE);
  server.v1(v1Entry(events, debugging('web-0', 'Started'), `no. ${events}`));
  await told(`no. ${events}`);
  assert.deepEqual(
    all,
    Array.from({ length: events + 1 }, (_, n) => n),
  );
  assert.equal(log.records.length, 10_000);
  assert.equal(entries(/debugging/).at(-1), `no. ${events}`);
  assert.deepEqual(
    rowsOf(store.state).map(({ container }) => container.pod),
    ['web-0'],
  );
});

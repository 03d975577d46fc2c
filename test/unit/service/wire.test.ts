// What Skaffold really sends, byte by byte: the service has to send the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { inRoot } from '../../../.ci/lib/paths.ts';
import * as libraries from '../../../src/proto/libraries.ts';
import { Wire } from '../../../src/service/wire.ts';
import { fromJson } from '../../../src/skaffold/fromJson.ts';

const wire = new Wire(libraries);

/** Each kind of event of v1, every field set: its bytes by the protos of Skaffold v2.24. */
const samples = readFileSync(inRoot('test/fixtures/skaffold/wire.ndjson'), 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as { api: string; bytes: string; result: object })
  .filter(({ api }) => api === 'v1');

test('there is a sample of every kind of event', () => assert.equal(samples.length, 11));

for (const { bytes, result } of samples) {
  const parsed = fromJson(JSON.stringify({ result }));
  assert.ok('event' in parsed);
  const { event } = parsed;
  test(`${event.kind} has the bytes and the fields that Skaffold gives it`, () => {
    const { message, line } = wire.item(event);
    assert.equal(message.toString('base64'), bytes);
    assert.deepEqual(JSON.parse(line.toString()), { result });
  });
}

for (const name of ['real-node-three-runtimes', 'restarts-and-redeploys', 'redeploy-with-forwards', 'watch-dropped'])
  test(`each line of the recording ${name} is written as it was read`, () => {
    const lines = readFileSync(inRoot('test/fixtures/recordings', `${name}.v1.ndjson`), 'utf8')
      .trimEnd()
      .split('\n');
    assert.ok(lines.length > 10);
    for (const line of lines) {
      const parsed = fromJson(line);
      assert.ok('event' in parsed);
      assert.equal(wire.item(parsed.event).line.toString(), `${line}\n`);
    }
  });

const times = [
  { time: '2026-12-01T09:00:00.000Z', sent: '2026-12-01T09:00:00Z', nanos: 0 },
  { time: '2026-12-01T09:00:00.120Z', sent: '2026-12-01T09:00:00.120Z', nanos: 120_000_000 },
  { time: '2026-12-01T09:00:00.000120000Z', sent: '2026-12-01T09:00:00.000120Z', nanos: 120_000 },
  { time: '2026-12-01T09:00:00.000000120Z', sent: '2026-12-01T09:00:00.000000120Z', nanos: 120 },
  { time: '2026-12-01T09:00:00Z', sent: '2026-12-01T09:00:00Z', nanos: 0 },
  { time: 'yesterday', sent: '1970-01-01T00:00:00Z', nanos: 0 },
];
for (const { time, sent, nanos } of times)
  test(`the time ${time} is sent as ${sent}`, () => {
    const { message, line } = wire.item({ time, kind: 'noticeEvent', body: {}, entry: 'a' });
    assert.equal((JSON.parse(line.toString()) as { result: { timestamp: string } }).result.timestamp, sent);
    assert.equal(libraries.LogEntry.decode(message).timestamp?.nanos, nanos);
  });

const entryOnly = [
  { name: 'an event of our own', kind: 'sourceEvent', body: { state: { kind: 'watching' } } },
  { name: 'an event of v2 alone', kind: 'renderEvent', body: { status: 'InProgress' } },
  { name: 'a number that no field holds', kind: 'portEvent', body: { localPort: 1e12 } },
  { name: 'a text in place of a number', kind: 'devLoopEvent', body: { iteration: 'first' } },
];
for (const { name, kind, body } of entryOnly)
  test(`what the API cannot hold is sent as its line: ${name}`, () => {
    const { message, line } = wire.item({ time: '2026-12-01T09:00:00Z', kind, body, entry: 'a <b> & c' });
    assert.equal(
      line.toString(),
      '{"result":{"timestamp":"2026-12-01T09:00:00Z","event":{},"entry":"a \\u003cb\\u003e \\u0026 c"}}\n',
    );
    const { event, entry } = libraries.LogEntry.decode(message);
    assert.equal(entry, 'a <b> & c');
    assert.ok(Object.values(event ?? { none: 1 }).every(member => member === undefined));
  });

const whole = [
  { name: 'half of a character', text: 'a\ud83d b', sent: 'a\ufffd b' },
  { name: 'a whole one', text: 'a\ud83d\ude00 b', sent: 'a\ud83d\ude00 b' },
  { name: 'one that is only written so', text: 'a\\ud83d b', sent: 'a\\ud83d b' },
];
for (const { name, text, sent } of whole)
  test(`both protocols send the same characters: ${name}`, () => {
    const { message, line } = wire.item({
      time: '2026-12-01T09:00:00Z',
      kind: 'buildEvent',
      body: { err: text },
      entry: text,
    });
    const { result } = JSON.parse(line.toString()) as {
      result: { entry: string; event: { buildEvent: { err: string } } };
    };
    assert.deepEqual([result.entry, result.event.buildEvent.err], [sent, sent]);
    const decoded = libraries.LogEntry.decode(message);
    assert.deepEqual([decoded.entry, decoded.event?.buildEvent?.err], [sent, sent]);
    if (sent !== text) assert.ok(!line.includes('\\ud83d'));
  });

test('signs that HTML or JavaScript take for their own are written as Go does', () => {
  const { line } = wire.item({ time: '2026-12-01T09:00:00Z', kind: '', body: {}, entry: '<&>\u2028\u2029' });
  assert.match(line.toString(), /"entry":"\\u003c\\u0026\\u003e\\u2028\\u2029"/);
});

test('what is too long for a client of gRPC is sent as its line, and that has an end', () => {
  const body = { err: 'x'.repeat(5 << 20) };
  const item = wire.item({ time: '2026-12-01T09:00:00Z', kind: 'buildEvent', body, entry: 'y'.repeat(200_000) });
  assert.ok(item.message.length < 200_000);
  assert.equal(libraries.LogEntry.decode(item.message).entry, 'y'.repeat(100_000));
});

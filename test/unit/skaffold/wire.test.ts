// What Skaffold really sends: our own encoder would agree with our own decoder about a wrong number of a field.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { inRoot } from '../../../.ci/lib/paths.ts';
import { FromGrpc } from '../../../src/skaffold/fromGrpc.ts';
import { fromJson } from '../../../src/skaffold/fromJson.ts';
import * as enums from '../../../src/proto/gen/enums.ts';
import * as suggestions from '../../../src/proto/gen/suggestions.ts';
import { LogEntry } from '../../../src/proto/gen/v1.ts';
import { Event } from '../../../src/proto/gen/v2.ts';

/** One event of each kind, every field set: its bytes by the protos of Skaffold v2.24, and its line over HTTP. */
interface Sample {
  readonly api: 'v1' | 'v2';
  readonly bytes: string;
  readonly result: object;
}

const samples = readFileSync(inRoot('test/fixtures/skaffold/wire.ndjson'), 'utf8').trimEnd().split('\n');
const fromGrpc = new FromGrpc({ ...enums, ...suggestions });

test('there is a sample of every kind of event', () => assert.equal(samples.length, 11 + 16));

for (const line of samples) {
  const { api, bytes, result } = JSON.parse(line) as Sample;
  const expected = fromJson(JSON.stringify({ result }));
  assert.ok('event' in expected);
  test(`${api} ${expected.event.kind} is the same by gRPC as by HTTP`, () => {
    const data = Buffer.from(bytes, 'base64');
    const event = api === 'v1' ? fromGrpc.v1(LogEntry.decode(data)) : fromGrpc.v2(Event.decode(data));
    assert.deepEqual(event, expected.event);
  });
}

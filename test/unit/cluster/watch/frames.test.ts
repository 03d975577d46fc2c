import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError } from '../../../../src/cluster/access.ts';
import { parseFrame } from '../../../../src/cluster/watch/frames.ts';

const unreadable = [
  '',
  '<html>',
  'null',
  '7',
  '"x"',
  '[]',
  '{}',
  '{"type":"ADDED"}',
  '{"type":"ADDED","object":null}',
  '{"type":"MODIFIED","object":{"metadata":null}}',
  '{"type":"ODD","object":{"metadata":{"name":"a"}}}',
];
for (const line of unreadable)
  test(`an event of a watch: ${line || 'nothing at all'} is refused`, () =>
    assert.throws(() => parseFrame(line), SyntaxError));

for (const line of ['{"type":"ERROR"}', '{"type":"ERROR","object":null}', '{"type":"ERROR","object":{}}'])
  test(`an event of a watch: ${line} is an error of the server`, () =>
    assert.throws(() => parseFrame(line), new ApiError(500, 'the watch reports an error')));

test('an event of a watch: a bookmark without anything', () =>
  assert.deepEqual(parseFrame('{"type":"BOOKMARK"}'), { kind: 'bookmark', resourceVersion: '', complete: false }));

import assert from 'node:assert/strict';
import test from 'node:test';
import { AdapterWords } from '../../../src/shell/adapterWords.ts';
import {
  isRestart,
  isRoot,
  keepDebuggee,
  keyOf,
  type KeyedSession,
  sessionKey,
} from '../../../src/shell/sessionKey.ts';

const foreign: KeyedSession = { configuration: { type: 'node' } };
const ours: KeyedSession = { configuration: { type: 'pwa-node', [sessionKey]: 'k1' } };
const child: KeyedSession = { configuration: { type: 'pwa-node' }, parentSession: ours };
const copy: KeyedSession = { configuration: { [sessionKey]: 'k1' }, parentSession: ours };

const cases: { name: string; session: KeyedSession | undefined; key: string | undefined; root: boolean }[] = [
  { name: 'a session of another extension', session: foreign, key: undefined, root: false },
  { name: 'ours', session: ours, key: 'k1', root: true },
  { name: 'a child without the key (H45)', session: child, key: 'k1', root: false },
  { name: 'a child with a copy of the configuration', session: copy, key: 'k1', root: false },
  { name: 'ours below a foreign one', session: { ...ours, parentSession: foreign }, key: 'k1', root: true },
];

for (const { name, session, key, root } of cases)
  test(`keyOf: ${name}`, () => {
    assert.equal(keyOf(session), key);
    assert.equal(session && isRoot(session), root);
  });

const guarded: { name: string; message: object; want: object }[] = [
  {
    name: 'stop everything',
    message: { type: 'request', command: 'disconnect', arguments: { restart: false, terminateDebuggee: true } },
    want: { type: 'request', command: 'disconnect', arguments: { restart: false, terminateDebuggee: false } },
  },
  {
    name: 'no arguments',
    message: { type: 'request', command: 'disconnect' },
    want: { type: 'request', command: 'disconnect', arguments: { terminateDebuggee: false } },
  },
  {
    name: 'another request',
    message: { type: 'request', command: 'pause', arguments: { threadId: 1 } },
    want: { type: 'request', command: 'pause', arguments: { threadId: 1 } },
  },
];

for (const { name, message, want } of guarded)
  test(`keepDebuggee changes the request itself: ${name}`, () => {
    keepDebuggee(message);
    assert.deepEqual(message, want);
  });

test('isRestart: only a disconnect that says so', () => {
  assert.equal(isRestart({ type: 'request', command: 'disconnect', arguments: { restart: true } }), true);
  assert.equal(isRestart({ type: 'request', command: 'disconnect', arguments: { restart: false } }), false);
  assert.equal(isRestart({ type: 'request', command: 'terminate', arguments: { restart: true } }), false);
});

test('AdapterWords: keeps what explains a session that did not start', () => {
  const words = new AdapterWords();
  words.fromAdapter({ type: 'event', event: 'output', body: { category: 'telemetry', output: 'js-debug/version' } });
  assert.equal(words.text, undefined);
  words.fromAdapter({ type: 'event', event: 'output', body: { category: 'stderr', output: 'Could not connect\n' } });
  words.fromAdapter({ type: 'response', command: 'threads', success: false, message: 'no threads' });
  const error = { format: 'attach failed: {why}', variables: { why: 'refused' } };
  words.fromAdapter({ type: 'response', command: 'attach', success: false, body: { error } });
  assert.equal(words.text, 'Could not connect; attach failed: refused');
});

test('AdapterWords: what dlv says of itself when an attach fails (H54)', () => {
  const words = new AdapterWords();
  const format = 'Failed to attach: Version of Delve is too old for Go version 1.26.8';
  words.fromAdapter({ type: 'response', command: 'attach', success: false, message: 'x', body: { error: { format } } });
  assert.equal(words.text, format);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import type { Breakpoints } from '../../../src/core/breakpoints.ts';
import { Bindings, boundIn, breakpointsOf } from '../../../src/shell/bindings.ts';

const set = (seq: number, path: string, ...lines: number[]) => ({
  type: 'request',
  seq,
  command: 'setBreakpoints',
  arguments: { source: { path }, breakpoints: lines.map(line => ({ line })) },
});
const answer = (seq: number, ...breakpoints: object[]) => ({
  type: 'response',
  command: 'setBreakpoints',
  request_seq: seq,
  success: true,
  body: { breakpoints },
});
const changed = (id: number, verified: boolean, more = {}) => ({
  type: 'event',
  event: 'breakpoint',
  body: { reason: 'changed', breakpoint: { id, verified, ...more } },
});
const loaded = (path: string) => ({ type: 'event', event: 'loadedSource', body: { reason: 'new', source: { path } } });
const module = (path: string) => ({ type: 'event', event: 'module', body: { reason: 'new', module: { path } } });

function bindings(...messages: object[]): Bindings {
  const one = new Bindings();
  for (const message of messages)
    if ('arguments' in message) one.toAdapter(message);
    else one.fromAdapter(message);
  return one;
}

const web = [{ local: '/ws/web', remote: '/app' }];
const file = '/ws/web/src/server.js';
const none: Breakpoints = { bound: 0, unbound: [] };

const cases: {
  name: string;
  adapters: readonly (readonly object[])[];
  mapped?: readonly { local: string; remote?: string }[];
  elsewhere?: readonly (readonly object[])[];
  want: Breakpoints;
}[] = [
  { name: 'none', adapters: [[loaded('/app/x.js')]], want: none },
  {
    name: 'bound at once',
    adapters: [[set(1, file, 3), answer(1, { id: 1, verified: true })]],
    want: { bound: 1, unbound: [] },
  },
  {
    name: 'bound later',
    adapters: [[set(1, file, 3), answer(1, { id: 1, verified: false }), changed(1, true, { line: 4 })]],
    want: { bound: 1, unbound: [] },
  },
  {
    name: 'not bound, and its file is not loaded',
    adapters: [[set(1, file, 3), answer(1, { id: 1, verified: false, message: 'Unbound breakpoint' })]],
    want: {
      bound: 0,
      unbound: [{ file, line: 3, said: 'Unbound breakpoint', expected: '/app/src/server.js' }],
    },
  },
  {
    name: 'loaded from elsewhere',
    adapters: [
      [
        set(1, file, 3),
        answer(1, { id: 1, verified: false }),
        loaded('/srv/node_modules/a/src/server.js'),
        loaded('/srv/app/src/server.js'),
      ],
    ],
    want: {
      bound: 0,
      unbound: [{ file, line: 3, expected: '/app/src/server.js', loaded: '/srv/app/src/server.js' }],
    },
  },
  {
    name: 'loaded as expected; the adapter names it by its path here',
    adapters: [[set(1, file, 3), answer(1, { id: 1, verified: false }), loaded(file)]],
    want: {
      bound: 0,
      unbound: [{ file, line: 3, expected: '/app/src/server.js', loaded: '/app/src/server.js' }],
    },
  },
  {
    name: 'one adapter of several has taken it',
    adapters: [
      [set(1, file, 3), answer(1, { id: 1, verified: false })],
      [set(1, file, 3), answer(1, { id: 7, verified: true })],
    ],
    want: { bound: 1, unbound: [] },
  },
  {
    name: 'in a file of another container, also one of the same name',
    adapters: [
      [
        set(1, '/ws/orders/src/server.js', 3),
        answer(1, { verified: false }),
        loaded(file),
        loaded('/app/src/server.js'),
      ],
    ],
    want: none,
  },
  {
    name: 'bound in another session',
    adapters: [[set(1, '/ws/web/orders/a.js', 3), answer(1, { verified: false })]],
    elsewhere: [[set(1, '/ws/web/orders/a.js', 3), answer(1, { verified: true })]],
    want: none,
  },
  {
    name: 'in a file that is not mapped, and that the program has loaded',
    adapters: [[set(1, '/ws/lib/util/a.py', 3), answer(1, { verified: false }), module('/opt/lib/util/a.py')]],
    want: { bound: 0, unbound: [{ file: '/ws/lib/util/a.py', line: 3, loaded: '/opt/lib/util/a.py' }] },
  },
  {
    name: 'taken back',
    adapters: [[set(1, file, 3), answer(1, { verified: false }), set(2, file), answer(2)]],
    want: none,
  },
  {
    name: 'mapped without a directory in the container, on Windows',
    adapters: [[set(1, 'C:\\shop\\A.java', 9), answer(1, { id: 1, verified: false })]],
    mapped: [{ local: 'C:\\shop' }],
    want: { bound: 0, unbound: [{ file: 'C:\\shop\\A.java', line: 9 }] },
  },
  {
    name: 'messages that are none',
    adapters: [
      [
        set(1, file, 3),
        { type: 'response', command: 'setBreakpoints', request_seq: 1, success: false },
        changed(9, true),
        { type: 'event', event: 'breakpoint' },
      ],
    ],
    want: none,
  },
];

for (const { name, adapters, mapped = web, elsewhere = [], want } of cases)
  test(`breakpoints: ${name}`, () => {
    const others = boundIn(elsewhere.map(messages => bindings(...messages)));
    const made = adapters.map(messages => bindings(...messages));
    assert.deepEqual(breakpointsOf(made, mapped, others), want);
  });

test('breakpoints: an adapter is asked once all are sent', () => {
  const one = bindings(set(1, file, 3));
  assert.equal(one.isConfigured, false);
  assert.equal(one.fromAdapter({ type: 'response', command: 'configurationDone', success: true }), true);
  assert.equal(one.isConfigured, true);
});

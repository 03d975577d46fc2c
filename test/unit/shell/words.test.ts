import assert from 'node:assert/strict';
import test from 'node:test';
import type { Failure } from '../../../src/core/errors.ts';
import type { Session } from '../../../src/core/model.ts';
import type { Row } from '../../../src/core/selectors.ts';
import { rowText } from '../../../src/shell/words.ts';
import { row, t } from './rows.ts';

const failure: Failure = {
  code: 'listener-silent',
  message: 'Nothing listens.',
  cause: 'connect \u001b[31mECONNREFUSED\u001b[0m',
  remedy: 'Start it with --inspect.',
  step: 'listener',
  actions: [],
};
const { container } = row();
const session: Session = {
  id: 's1',
  slot: container.slot,
  instance: container.id,
  follow: container.follow,
  namespace: container.namespace,
  pod: container.pod,
  container: container.container,
  name: 'web',
  localPort: 40_001,
  paused: false,
};

const cases: { name: string; row: Row; place?: string; description: string; icon: string }[] = [
  { name: 'ready', row: row(), description: 'Node.js · ready · :9229', icon: 'circle-outline' },
  {
    name: 'an unknown runtime keeps its name',
    row: row({}, { detection: { runtime: 'ru\nby$(x)' } }),
    description: 'ru ⏎ by$\u200b(x) · ready · :9229',
    icon: 'circle-outline',
  },
  {
    name: 'the label leaves the pod out',
    row: row({}, { detection: { runtime: 'jvm', port: 5005 } }),
    place: 'web-1',
    description: 'Java · ready · :5005 · web-1',
    icon: 'circle-outline',
  },
  {
    name: 'why it is starting',
    row: row({ state: 'starting', reason: 'CrashLoopBackOff' }),
    description: 'Node.js · starting: CrashLoopBackOff · :9229',
    icon: 'clock',
  },
  {
    name: 'a program that does not begin without a debugger',
    row: row({ waitsForYou: true }, { detection: { verdict: 'suspended' } }),
    description: 'Node.js · waits for you · :9229',
    icon: 'debug-pause',
  },
  {
    name: 'the step of an attach',
    row: row({ state: 'attaching', step: 'forward' }),
    description: 'Node.js · attaching: opening the port-forward · :9229',
    icon: 'loading~spin',
  },
  {
    name: 'a breakpoint that is not bound',
    row: row({
      state: 'attached',
      session: { ...session, breakpoints: { bound: 1, unbound: [{ file: '/ws/a.js', line: 3 }] } },
    }),
    description: 'Node.js · attached · 1 breakpoint not bound · :9229',
    icon: 'debug-alt',
  },
  {
    name: 'attached',
    row: row({ state: 'attached', session }),
    description: 'Node.js · attached · :9229',
    icon: 'debug-alt',
  },
  {
    name: 'paused',
    row: row({ state: 'paused', session }),
    description: 'Node.js · paused · :9229',
    icon: 'debug-pause',
  },
  {
    name: 'a failed attach names its step',
    row: row({ failure }),
    description: 'Node.js · failed at the debug listener · :9229',
    icon: 'error',
  },
  {
    name: 'a lost source',
    row: row({ isStale: true }),
    description: 'Node.js · ready · :9229 · may be out of date',
    icon: 'circle-outline',
  },
];

for (const { name, row: of, place, description, icon } of cases)
  test(`rowText: ${name}`, () => {
    const text = rowText(of, 'web', place, t);
    assert.equal(text.description, description);
    assert.equal(text.look.icon, icon);
  });

test('rowText: what a screen reader says has no need of icon and colour', () => {
  assert.equal(rowText(row(), 'web', 'web-1', t).spoken, 'web, web-1, Node.js, ready, port 9229');
});

test('rowText: a screen reader says why an attach has failed', () => {
  const { spoken } = rowText(row({ failure }), 'web', undefined, t);
  assert.equal(spoken, 'web, Node.js, failed at the debug listener: Nothing listens., port 9229');
});

test('rowText: foreign text is inert everywhere', () => {
  const evil = '$(flame) \u001b[31mred\u001b[0m\u202e';
  const of = row({ state: 'starting', reason: evil }, { pod: evil, container: evil, detection: { runtime: evil } });
  const { description, tooltip, spoken } = rowText(of, evil, evil, t);
  for (const text of [description, tooltip, spoken]) assert.doesNotMatch(text, /\$\(|\u001b|\u202e/);
});

test('rowText: the tooltip has step, cause and remedy of a failure, without the colours of its source', () => {
  const { tooltip } = rowText(row({ failure }), 'web', undefined, t);
  const wanted = [
    'Failed at the debug listener: Nothing listens.',
    'Cause: connect ECONNREFUSED',
    'What to do: Start it with --inspect.',
  ];
  assert.deepEqual(tooltip.split('\n').slice(-3), wanted);
});

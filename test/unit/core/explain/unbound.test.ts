import assert from 'node:assert/strict';
import test from 'node:test';
import type { Unbound } from '../../../../src/core/breakpoints.ts';
import { explain } from '../../../../src/core/explain/explain.ts';
import { pairBy, unboundFix, unboundText } from '../../../../src/core/explain/unbound.ts';
import type { DebugEvent, Session } from '../../../../src/core/model.ts';
import { empty, reduce } from '../../../../src/core/reducer.ts';
import { rowAt } from '../../../../src/core/selectors.ts';
import { container } from '../../../support/containers.ts';

for (const [file, loaded, local, remote] of [
  ['/ws/web/src/a.js', '/app/src/a.js', '/ws/web', '/app'],
  ['/ws/a.js', '/a.js', '/ws', '/'],
  ['C:\\ws\\src\\a.py', '/srv/src/a.py', 'C:\\ws', '/srv'],
] as const)
  test(`the directories of ${file} and ${loaded}`, () => assert.deepEqual(pairBy(file, loaded), { local, remote }));

const at = { file: '/ws/web/src/a.js', line: 3 };
const cases: { one: Unbound; runtime: string; says: RegExp; fix: RegExp }[] = [
  {
    one: { ...at, expected: '/app/src/a.js', loaded: '/srv/src/a.js' },
    runtime: 'nodejs',
    says: /a\.js:3 is not bound; the program has loaded \/srv\/src\/a\.js, and \/app\/src\/a\.js was expected/,
    fix: /^Map \/ws\/web to \/srv: /,
  },
  {
    one: { ...at, expected: '/app/src/a.js' },
    runtime: 'nodejs',
    says: /has not loaded \/app\/src\/a\.js/,
    fix: /source maps/,
  },
  {
    one: { ...at, expected: '/app/src/a.js', loaded: '/app/src/a.js', said: 'differs' },
    runtime: 'nodejs',
    says: /not bound; differs$/,
    fix: /Build the image again/,
  },
  { one: at, runtime: 'python', says: /not bound$/, fix: /pip install -e/ },
  { one: { ...at, said: 'could not find file' }, runtime: 'go', says: /could not find file/, fix: /gcflags/ },
  { one: at, runtime: 'jvm', says: /not bound$/, fix: /not loaded yet/ },
  { one: at, runtime: 'cobol', says: /not bound$/, fix: /built from/ },
];
for (const { one, runtime, says, fix } of cases)
  test(`why a breakpoint is not bound, and what to do: ${runtime}, ${Object.keys(one).join('+')}`, () => {
    assert.match(unboundText(one), says);
    assert.match(unboundFix(one, runtime), fix);
  });

const web = container();
const session: Session = {
  ...{ id: 's', slot: web.slot, instance: web.id, follow: web.follow, namespace: 'shop', pod: web.pod },
  ...{ container: 'web', name: 'web · shop', localPort: 1, paused: false },
};
const attached: DebugEvent = { kind: 'attached', session, sources: ['Not certain: the first is taken.'] };
const looked = (bound: number, ...unbound: Unbound[]): DebugEvent => ({
  kind: 'breakpoints',
  sessionId: 's',
  breakpoints: { bound, unbound },
});

function after(...events: DebugEvent[]) {
  const seen: DebugEvent = { kind: 'snapshot', source: 'pods', containers: [web] };
  const entries: string[] = [];
  let state = empty;
  for (const event of [seen, attached, ...events]) {
    const reduced = reduce(state, event);
    state = reduced.state;
    entries.push(...reduced.drafts.map(({ entry }) => entry));
  }
  const steps = explain(state, rowAt(state, web.slot)!);
  return { entries, link: (name: string) => steps.find(step => step.name === name)! };
}

test('a breakpoint that is not bound is said in the log once, and breaks the chain', () => {
  const lost = { ...at, expected: '/app/src/a.js', loaded: '/srv/src/a.js' };
  const { entries, link } = after(looked(1, lost), looked(1, lost), looked(0, lost, { ...at, line: 9 }));
  assert.equal(entries.filter(entry => entry.startsWith('Breakpoint of web · shop: ')).length, 2);
  assert.equal(link('breakpoints').ok, false);
  assert.match(link('breakpoints').detail, /^2 of 2 breakpoints: .*a\.js:3 is not bound/);
  assert.equal(link('paths').ok, false);
  assert.match(link('paths').fix!, /^Map \/ws\/web to \/srv/);
});

test('a guess of the paths is no more than that until a breakpoint is bound', () => {
  assert.equal(after().link('paths').ok, 'unknown');
  assert.equal(after(looked(0)).link('breakpoints').ok, 'unknown');
  const bound = after(looked(2));
  assert.equal(bound.link('paths').ok, true);
  assert.deepEqual([bound.link('breakpoints').ok, bound.link('breakpoints').detail], [true, '2 bound.']);
});

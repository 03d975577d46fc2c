import assert from 'node:assert/strict';
import test from 'node:test';
import type { Failure } from '../../../src/core/errors.ts';
import type { RunRow } from '../../../src/core/runRows.ts';
import type { RunState, TaskStep } from '../../../src/core/runState.ts';
import type { Row } from '../../../src/core/selectors.ts';
import { contextValueOf } from '../../../src/shell/contextValue.ts';
import { Lasting } from '../../../src/shell/lasting.ts';
import { childrenOf, runOfId, type TreeNode, treeOf } from '../../../src/shell/nodes.ts';
import { artifactText, runNews, runText, stepText } from '../../../src/shell/runWords.ts';
import { treeChanges } from '../../../src/shell/treeChanges.ts';
import { rowText, witnessLines } from '../../../src/shell/words.ts';
import { row, t } from './rows.ts';

const source = 'skaffold:50051';
const evil = '$(flame) \u001b[31mred\u001b[0m\u202e';
const failure: Failure = { code: 'C', message: 'It does not compile.', remedy: 'Mend it.', actions: [] };
const building: TaskStep = { task: 'Build', subject: 'web', status: 'running' };
const failed: TaskStep = { task: 'Build', subject: 'web', status: 'failed', failure };
const run = (state: RunState, parts: Partial<RunRow> = {}): RunRow => ({
  ...{ source, name: 'shop', origin: 'launched', steps: [], undebuggable: [], rows: [] },
  state,
  ...parts,
});
const own: Row = row({ run: source });
const other: Row = row({}, { podUid: 'u2', pod: 'db-1', workload: { kind: 'StatefulSet', name: 'db' } });

type Shape = string | [string, ...Shape[]];

function shape(node: TreeNode): Shape {
  const text = 'label' in node ? `${node.kind} ${node.label}` : node.kind;
  const children = childrenOf(node).map(shape);
  return children.length > 0 ? [text, ...children] : text;
}

const trees: { name: string; rows: Row[]; runs: RunRow[]; want: Shape[] }[] = [
  { name: 'no Skaffold: as ever', rows: [other], runs: [], want: ['container db'] },
  { name: 'a run stands alone', rows: [], runs: [run({ kind: 'starting' })], want: ['run'] },
  {
    name: 'its containers below it, those of none below their cluster',
    rows: [own, other],
    runs: [run({ kind: 'running' }, { rows: [own] })],
    want: [
      ['run', 'container web'],
      ['cluster test', 'container db'],
    ],
  },
  {
    name: 'what it does, what has failed with the advice, and what no debugger can be attached to',
    rows: [own],
    runs: [
      run(
        { kind: 'failed', step: failed, isOver: false },
        {
          rows: [own],
          steps: [{ ...building, subject: 'db' }, failed],
          undebuggable: [{ artifact: 'job', reason: 'No.' }],
        },
      ),
    ],
    want: [['run', 'step', ['step', 'advice'], 'artifact', 'container web']],
  },
  {
    name: 'several namespaces of a run',
    rows: [own],
    runs: [run({ kind: 'running' }, { rows: [own, row({ run: source }, { namespace: 'back', podUid: 'u3' })] })],
    want: [['run', ['namespace shop', 'container web'], ['namespace back', 'container web']]],
  },
];

for (const { name, rows, runs, want } of trees)
  test(`treeOf: ${name}`, () => assert.deepEqual(treeOf(rows, runs).map(shape), want));

const twoRuns = ['skaffold:1', 'skaffold:2'].map(of => {
  const rows = ['x', 'y'].flatMap(pod =>
    ['shop', 'back'].map(namespace => row({ run: of }, { namespace, podUid: of + pod, pod })),
  );
  return run(
    { kind: 'failed', step: failed, isOver: false },
    {
      ...{ source: of, rows, steps: [failed], undebuggable: [{ artifact: 'job', reason: 'No.' }] },
    },
  );
});

test('treeOf: ids of nodes are their own, and tell of which run', () => {
  const ids = (nodes: readonly TreeNode[]): string[] => nodes.flatMap(node => [node.id, ...ids(childrenOf(node))]);
  const all = ids(
    treeOf(
      twoRuns.flatMap(({ rows }) => rows),
      twoRuns,
    ),
  );
  assert.equal(new Set(all).size, all.length);
  const [first] = treeOf([], twoRuns);
  const [step, artifact] = childrenOf(first);
  const [advice] = childrenOf(step);
  for (const node of [first, step, artifact, advice]) assert.equal(runOfId(node!.id), 'skaffold:1');
  assert.equal(runOfId(own.container.slot), undefined);
  assert.equal(runOfId('no json'), undefined);
});

test('treeChanges: only the row of a run whose words have changed, or of its container', () => {
  const before = treeOf([own], [run({ kind: 'running' }, { rows: [own] })]);
  const paused: Row = { ...own, state: 'paused' };
  const runId = before[0]!.id;
  const same = treeOf([own], [run({ kind: 'running' }, { rows: [{ ...own }] })]);
  assert.deepEqual(treeChanges(before, same), []);
  assert.deepEqual(treeChanges(before, treeOf([paused], [run({ kind: 'running' }, { rows: [paused] })])), [
    own.container.slot,
  ]);
  assert.deepEqual(treeChanges(before, treeOf([own], [run({ kind: 'stopping' }, { rows: [own] })])), [runId]);
  const busy = run({ kind: 'working', step: building }, { rows: [own], steps: [building] });
  assert.deepEqual(treeChanges(before, treeOf([own], [busy])), [runId]);
});

const runs: { state: RunState; parts?: Partial<RunRow>; word: string; icon: string; context: string }[] = [
  {
    state: { kind: 'offered' },
    parts: { origin: 'found' },
    word: 'found, not joined',
    icon: 'circle-outline',
    context: 'run;found;joinable',
  },
  { state: { kind: 'starting' }, word: 'starting', icon: 'sync~spin', context: 'run;launched;stoppable;controllable' },
  {
    state: { kind: 'working', step: building },
    word: 'building web',
    icon: 'sync~spin',
    context: 'run;launched;stoppable;controllable',
  },
  {
    state: { kind: 'running' },
    parts: { origin: 'given' },
    word: 'running',
    icon: 'rocket',
    context: 'run;given;stoppable;controllable',
  },
  {
    state: { kind: 'failed', step: failed, isOver: false },
    word: 'failed at build of web',
    icon: 'error',
    context: 'run;launched;stoppable;controllable',
  },
  {
    state: { kind: 'failed', step: failed, isOver: true },
    word: 'failed at build of web',
    icon: 'error',
    context: 'run;launched;dismissible',
  },
  { state: { kind: 'stopping' }, word: 'stopping', icon: 'sync~spin', context: 'run;launched;stoppable' },
  {
    state: { kind: 'lost', failure },
    word: 'connection lost',
    icon: 'debug-disconnect',
    context: 'run;launched;dismissible',
  },
  { state: { kind: 'ended' }, word: 'ended', icon: 'circle-slash', context: 'run;launched;dismissible' },
];

for (const { state, parts, word, icon, context } of runs)
  test(`a run: ${word}, ${context}`, () => {
    const of = run(state, parts);
    const text = runText(of, t);
    assert.deepEqual([text.label, text.description, text.look.icon], ['shop', word, icon]);
    assert.equal(text.spoken, `Skaffold shop, ${word}`);
    assert.equal(contextValueOf(treeOf([], [of])[0]!, false), context);
  });

test('a run without a name has that of its port', () => {
  const { name: _name, origin: _origin, ...nameless } = run({ kind: 'running' });
  assert.equal(runText(nameless, t).label, 'Skaffold at port 50051');
});

test('a failed run, its step and their advice', () => {
  const { tooltip } = runText(run({ kind: 'failed', step: failed, isOver: false }), t);
  assert.deepEqual(tooltip.split('\n'), [
    ...['Skaffold shop: failed at build of web', 'Started by this window'],
    ...['It does not compile.', 'What to do: Mend it.'],
  ]);
  assert.equal(stepText(failed, t).description, 'failed: It does not compile.');
  assert.equal(stepText(building, t).label, 'building web');
});

const tasks: [task: string, subject: string, running: string, noun: string][] = [
  ['', '', '', 'the start'],
  ['Build', '', 'building', 'build'],
  ['Deploy', '', 'deploying', 'deploy'],
  ['StatusCheck', '', 'checking status', 'status check'],
  ['StatusCheck', 'deployment/web', 'checking status of deployment/web', 'status check of deployment/web'],
  ['Test', '', 'testing', 'test'],
  ['Render', '', 'rendering manifests', 'rendering of manifests'],
  ['Sync', 'web', 'syncing files to web', 'file sync to web'],
  ['DevLoop', '', 'DevLoop', 'an iteration'],
  ['Newer', '', 'Newer', 'Newer'],
];

for (const [task, subject, running, noun] of tasks)
  test(`a step: ${noun}`, () => {
    if (task) assert.equal(stepText({ task, subject, status: 'running' }, t).label, running);
    assert.equal(stepText({ task, subject, status: 'failed' }, t).label, noun);
  });

test('the status bar: a failure goes before work, and what only runs is no news', () => {
  const working = run({ kind: 'working', step: building });
  const broken = run({ kind: 'failed', step: failed, isOver: false });
  assert.deepEqual(runNews([working, broken], t), { text: 'failed at build of web', isFailure: true });
  assert.deepEqual(runNews([run({ kind: 'running' }), working], t), { text: 'building web', isFailure: false });
  assert.equal(runNews([run({ kind: 'running' }), run({ kind: 'ended' })], t), undefined);
});

test('what Skaffold says is inert everywhere', () => {
  const step: TaskStep = {
    task: evil,
    subject: evil,
    status: 'failed',
    failure: { ...failure, message: evil, remedy: evil },
  };
  const texts = [
    runText(run({ kind: 'failed', step, isOver: true }, { name: evil }), t),
    stepText(step, t),
    stepText({ ...step, task: 'Build', status: 'running' }, t),
    artifactText({ artifact: evil, reason: evil }, t),
  ];
  for (const { label, description, tooltip, spoken, look } of texts)
    for (const text of [label, description, tooltip, spoken, look.word])
      assert.doesNotMatch(text, /\$\(|\u001b|\u202e/);
});

const witnesses: { name: string; row: Row; want: string[] }[] = [
  { name: 'of no Skaffold', row: row(), want: [] },
  { name: 'H65', row: own, want: ['Seen by the pod watch; not reported by Skaffold'] },
  {
    name: 'both',
    row: row({ run: source, seenBy: ['pods', source] }),
    want: ['Seen by the pod watch and by Skaffold'],
  },
  {
    name: 'Skaffold alone, and the watch differs',
    row: row({ run: source, seenBy: [source], disagreement: 'It is not there.' }),
    want: ['Reported by Skaffold only', 'It is not there.'],
  },
  {
    name: 'a forward of Skaffold',
    row: row({
      run: source,
      announced: [
        { ...{ localPort: 9300, remotePort: 9229, namespace: 'shop' }, pod: 'w', container: 'web', resource: '' },
      ],
    }),
    want: [
      'Seen by the pod watch; not reported by Skaffold',
      'Skaffold announces a forward of its own: 127.0.0.1:9300 to port 9229',
    ],
  },
];

for (const { name, row: of, want } of witnesses)
  test(`who sees a container: ${name}`, () => {
    assert.deepEqual(witnessLines(of, t), want);
    for (const line of want) assert.ok(rowText(of, 'web', undefined, t).tooltip.includes(line));
  });

test('a container in Docker shows the port at which it is reached, and where it is', () => {
  const { description, tooltip } = rowText(
    row({ run: source, seenBy: [source] }, { pod: '', direct: { host: '127.0.0.1', port: 9300 } }),
    'web',
    undefined,
    t,
  );
  assert.equal(description, 'Node.js · ready · :9300');
  assert.match(tooltip, /^web in Docker\n/);
});

test('a container whose log Skaffold has says so to menus', () => {
  assert.match(contextValueOf(treeOf([own])[0]!, false), /\blogged\b/);
  assert.doesNotMatch(contextValueOf(treeOf([other])[0]!, false), /\blogged\b/);
});

const doubtful: Row = row({ run: source, disagreement: 'They differ.' });
const undebuggable = run({ kind: 'running' }, { rows: [doubtful], undebuggable: [{ artifact: 'job', reason: 'No.' }] });

test('what is so for a moment is not shown; when it lasts, the tree is drawn again', async () => {
  const drawn = Promise.withResolvers<void>();
  const lasting = new Lasting(drawn.resolve, 20);
  const before = lasting.of([doubtful], [undebuggable]);
  assert.equal(before.rows[0]!.disagreement, undefined);
  assert.deepEqual(before.runs[0]!.undebuggable, []);
  assert.equal(before.runs[0]!.rows[0], before.rows[0]);
  await drawn.promise;
  const after = lasting.of([doubtful], [undebuggable]);
  assert.equal(after.rows[0]!.disagreement, 'They differ.');
  assert.equal(after.runs[0]!.rows[0]!.disagreement, 'They differ.');
  assert.equal(after.runs[0]!.undebuggable.length, 1);
  lasting.of([own], []);
  assert.equal(lasting.of([doubtful], [undebuggable]).rows[0]!.disagreement, undefined, 'it begins anew');
  lasting.dispose();
});

test('a container that Skaffold reports a moment before the watch has not ended', () => {
  const lasting = new Lasting(() => undefined);
  const early = row({
    run: source,
    seenBy: [source],
    state: 'ended',
    reason: 'not there',
    disagreement: 'They differ.',
  });
  const [shown] = lasting.of([early], []).rows;
  assert.deepEqual([shown!.state, shown!.reason], ['starting', 'Skaffold has just reported it']);
  lasting.dispose();
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { slotId } from '../../../src/core/identity.ts';
import type { Row } from '../../../src/core/selectors.ts';
import { contextValueOf } from '../../../src/shell/contextValue.ts';
import { childrenOf, slotOf, type TreeNode, treeOf } from '../../../src/shell/nodes.ts';
import { parentsOf, treeChanges } from '../../../src/shell/treeChanges.ts';
import { testCluster } from '../../support/containers.ts';
import { row } from './rows.ts';

const at = (namespace: string, workload: string, pod: string, container: string): Row => {
  const slot = slotId({ cluster: testCluster, namespace, container }, pod);
  return row({}, { namespace, pod, podUid: pod, container, slot, workload: { kind: 'Deployment', name: workload } });
};

type Shape = string | [string, ...Shape[]];

function shape(node: TreeNode): Shape {
  const text = textOf(node);
  const children = childrenOf(node).map(shape);
  return children.length > 0 ? [text, ...children] : text;
}

function textOf(node: TreeNode): string {
  switch (node.kind) {
    case 'container':
      return node.place ? `${node.label} (${node.place})` : node.label;
    case 'run':
      return `run ${node.run.name ?? node.run.source} ${node.run.state.kind}`;
    case 'step':
      return `${node.step.task} ${node.step.subject} ${node.step.status}`;
    case 'artifact':
      return `not debuggable: ${node.built.artifact}`;
    case 'failure':
    case 'advice':
      return node.kind;
    default:
      return node.label;
  }
}

test('the name of a pod is shortened by that of the workload above it', () => {
  const shortOf = (node: TreeNode) => (node.kind === 'container' ? node.short : undefined);
  const pods = ['web-7d9c-1', 'web-7d9c-2', 'other'].map(pod => at('shop', 'web', pod, 'web'));
  assert.deepEqual(childrenOf(treeOf(pods)[0]).map(shortOf), ['…-7d9c-1', '…-7d9c-2', undefined]);
});

test('parentsOf: every node below another', () => {
  const pods = ['web-1', 'web-2'].map(pod => at('shop', 'web', pod, 'web'));
  const [workload] = treeOf(pods);
  const [first, second] = childrenOf(workload);
  assert.deepEqual(
    [...parentsOf([workload!])],
    [
      [first!.id, workload!.id],
      [second!.id, workload!.id],
    ],
  );
});

const failure = { code: 'x', message: 'It failed.', actions: [] };

const cases: { name: string; rows: Row[]; want: Shape[] }[] = [
  { name: 'nothing', rows: [], want: [] },
  { name: 'levels with one child are left out', rows: [at('shop', 'web', 'web-1', 'web')], want: ['web'] },
  {
    name: 'a container that is not named as its workload',
    rows: [at('shop', 'web', 'web-1', 'app')],
    want: ['web (app)'],
  },
  {
    name: 'two pods of a workload are told apart by the pod',
    rows: [at('shop', 'web', 'web-1', 'web'), at('shop', 'web', 'web-2', 'web')],
    want: [['web', 'web-1', 'web-2']],
  },
  {
    name: 'two containers of a pod by the container',
    rows: [at('shop', 'web', 'web-1', 'proxy'), at('shop', 'web', 'web-1', 'web')],
    want: [['web', 'proxy', 'web']],
  },
  {
    name: 'containers of several pods by both',
    rows: [at('shop', 'web', 'web-1', 'proxy'), at('shop', 'web', 'web-1', 'web'), at('shop', 'web', 'web-2', 'web')],
    want: [['web', 'proxy (web-1)', 'web (web-1)', 'web (web-2)']],
  },
  {
    name: 'several namespaces are a level',
    rows: [at('back', 'web', 'b', 'web'), at('shop', 'web', 's', 'web')],
    want: [
      ['back', 'web'],
      ['shop', 'web'],
    ],
  },
  {
    name: 'a failure is a line of its own',
    rows: [{ ...at('shop', 'web', 'w', 'web'), failure }],
    want: [['web', 'failure']],
  },
];

for (const { name, rows, want } of cases)
  test(`treeOf: ${name}`, () => assert.deepEqual(treeOf(rows).map(shape), want));

test('treeOf: ids of nodes are their own, also where names repeat', () => {
  const rows = ['a', 'b'].flatMap(ns => ['x', 'y'].map(pod => at(ns, 'web', `${ns}${pod}`, 'web')));
  const ids = (nodes: readonly TreeNode[]): string[] => nodes.flatMap(node => [node.id, ...ids(childrenOf(node))]);
  const all = ids(treeOf(rows));
  assert.equal(all.length, 8);
  assert.equal(new Set(all).size, all.length);
});

const words: { name: string; row: Row; want: string }[] = [
  { name: 'ready', row: row(), want: 'container;attachable;reachable;demo' },
  {
    name: 'under way',
    row: row({ isAttachable: false, state: 'attaching', step: 'forward' }),
    want: 'container;attaching;demo',
  },
  { name: 'ended', row: row({ isAttachable: false, state: 'ended' }), want: 'container;demo' },
];

for (const { name, row: of, want } of words)
  test(`contextValueOf: ${name}`, () => assert.equal(contextValueOf(treeOf([of])[0]!, true), want));

const web1 = at('shop', 'web', 'web-1', 'web');
const web2 = at('shop', 'web', 'web-2', 'web');
const cart = at('shop', 'cart', 'cart-1', 'cart');
const other = at('back', 'jobs', 'jobs-1', 'jobs');
const paused = (of: Row): Row => ({ ...of, state: 'paused' });
const shopId = JSON.stringify(['namespace', testCluster, 'shop']);
const webId = JSON.stringify(['workload', testCluster, 'shop', 'Deployment', 'web']);

const changes: { name: string; before: Row[]; after: Row[]; want: string[] | 'all' }[] = [
  { name: 'nothing', before: [web1, cart], after: [{ ...web1 }, cart], want: [] },
  { name: 'the first row', before: [], after: [web1], want: 'all' },
  { name: 'one row', before: [web1, cart], after: [paused(web1), cart], want: [web1.container.slot] },
  {
    name: 'a row of a workload',
    before: [web1, web2, cart],
    after: [web1, paused(web2), cart],
    want: [web2.container.slot],
  },
  {
    name: 'a row more in a workload',
    before: [web1, web2],
    after: [web1, web2, at('shop', 'web', 'web-3', 'web')],
    want: [webId],
  },
  { name: 'a workload more in a namespace', before: [other, web1], after: [other, web1, cart], want: [shopId] },
  { name: 'a namespace more', before: [web1], after: [web1, other], want: 'all' },
];

for (const { name, before, after, want } of changes)
  test(`treeChanges: ${name}`, () => assert.deepEqual(treeChanges(treeOf(before), treeOf(after)), want));

test('slotOf: a failure is about its container', () => {
  const [node] = treeOf([{ ...web1, failure }]);
  assert.equal(slotOf(node!.id), web1.container.slot);
  assert.equal(slotOf(childrenOf(node)[0]!.id), web1.container.slot);
});

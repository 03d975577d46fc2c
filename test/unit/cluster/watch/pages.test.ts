import assert from 'node:assert/strict';
import test from 'node:test';
import { parsePage } from '../../../../src/cluster/watch/pages.ts';

const annotated = (name: string) => ({
  metadata: { name, annotations: { 'debug.cloud.google.com/config': '{}' } },
  spec: { containers: [{ name: 'é"},{\\"metadata":{', env: [{ name: 'X', value: '},{"metadata":{' }] }] },
});
const plain = (name: string) => ({ metadata: { name }, spec: {} });
const pageOf = (items: unknown, metadata: object = { resourceVersion: '7' }) =>
  JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items });

const cases: { name: string; text: string; pods: string[]; next?: string }[] = [
  { name: 'nothing', text: pageOf([]), pods: [] },
  { name: 'items are null', text: pageOf(null), pods: [] },
  {
    name: 'only pods that may be debuggable',
    text: pageOf([plain('x'), annotated('a'), plain('y'), annotated('b')]),
    pods: ['a', 'b'],
  },
  { name: 'one that is', text: pageOf([annotated('a')]), pods: ['a'] },
  { name: 'one that is not', text: pageOf([plain('x')]), pods: [] },
  {
    name: 'a page that is not the last',
    text: pageOf([annotated('a')], { resourceVersion: '7', continue: 'ey"J' }),
    pods: ['a'],
    next: 'ey"J',
  },
  {
    name: 'fields in another order: everything is parsed',
    text: JSON.stringify({
      items: [{ spec: {}, metadata: { name: 'x' } }, annotated('a')],
      metadata: { resourceVersion: '7' },
    }),
    pods: ['x', 'a'],
  },
  {
    name: 'written for people',
    text: JSON.stringify(JSON.parse(pageOf([plain('x'), annotated('a')])), null, 2),
    pods: ['x', 'a'],
  },
  {
    name: 'with items that are none',
    text: `{"metadata":{"resourceVersion":"7"},"items":[null,${JSON.stringify(annotated('a'))}]}`,
    pods: ['a'],
  },
  { name: 'with a line feed at the end', text: `${pageOf([annotated('a')])}\n`, pods: ['a'] },
];

for (const { name, text, pods, next = '' } of cases)
  test(`a page of pods: ${name}`, () => {
    const page = parsePage(Buffer.from(text));
    assert.deepEqual(
      page.pods.map(pod => pod.metadata?.name),
      pods,
    );
    assert.equal(page.resourceVersion, '7');
    assert.equal(page.next, next);
  });

test('a page of pods: parsed pods are whole', () =>
  assert.deepEqual(parsePage(Buffer.from(pageOf([plain('x'), annotated('é')]))).pods, [annotated('é')]));

for (const text of [
  '',
  '<html>',
  '[]',
  'null',
  '"x"',
  '{}',
  '{"metadata":{},"items":7}',
  pageOf([annotated('a')]).slice(0, -4),
])
  test(`a page of pods: ${text.slice(0, 20) || 'nothing at all'} is refused`, () =>
    assert.throws(() => parsePage(Buffer.from(text)), SyntaxError));

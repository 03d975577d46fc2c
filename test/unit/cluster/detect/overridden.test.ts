import assert from 'node:assert/strict';
import test from 'node:test';
import { detect } from '../../../../src/cluster/detect/detect.ts';
import { detectWith, wordsOf } from '../../../../src/cluster/detect/overridden.ts';
import type { PodContainer } from '../../../../src/cluster/pods/pod.ts';
import { parsePage } from '../../../../src/cluster/watch/pages.ts';
import { mayBeListed } from '../../../../src/cluster/watch/prefilter.ts';
import type { RecipeOverride, RecipeOverrides } from '../../../../src/core/recipeOverrides.ts';

const overrides = (entries: Record<string, RecipeOverride>): RecipeOverrides => new Map(Object.entries(entries));
const annotated = (config: object) => ({ 'debug.cloud.google.com/config': JSON.stringify({ web: config }) });
const ports = (name: string) => [{ name, containerPort: 8181 }];
const vm = { runtime: 'dart', ports: { vm: 8181 } };
const pydevd = { runtime: 'python', ports: { pydevd: 12345 } };
const twice = { runtime: 'dart', ports: { a: 1, b: 2 } };
const broken = 'node --debug a.js'.split(' ');

const cases: {
  name: string;
  own: Record<string, RecipeOverride>;
  container?: PodContainer;
  annotation?: object;
  want: string;
  why?: RegExp;
}[] = [
  {
    name: 'a runtime that nothing else knows',
    own: { dart: { type: 'dart' } },
    annotation: vm,
    want: 'dart 8181 live',
  },
  { name: 'only its fields', own: { dart: { configuration: {} } }, annotation: vm, want: 'dart 8181 not-debuggable' },
  { name: 'another runtime', own: { go: { type: 'x' } }, annotation: vm, want: 'dart 8181 not-debuggable' },
  { name: 'one of two ports', own: { dart: { type: 'dart', port: 2 } }, annotation: twice, want: 'dart 2 live' },
  {
    name: 'two ports and no choice',
    own: { dart: { type: 'dart' } },
    annotation: twice,
    want: 'dart - not-debuggable',
  },
  { name: 'pydevd', own: { pydevd: { type: 'pycharm' } }, annotation: pydevd, want: 'python 12345 live' },
  {
    name: 'another port for an artifact',
    own: { shop: { port: 9300 } },
    annotation: { runtime: 'nodejs', artifact: 'shop', ports: { devtools: 9229 } },
    want: 'nodejs 9300 live',
    why: /breakpod\.recipes/,
  },
  {
    name: 'a port that the pod does not tell',
    own: { nodejs: { port: 9300 } },
    container: { command: ['node', '--inspect=$(PORT)', 'a.js'] },
    want: 'nodejs 9300 live',
  },
  {
    name: 'a program that waits',
    own: { nodejs: { port: 9300 } },
    container: { command: ['node', '--inspect-brk', 'a.js'] },
    want: 'nodejs 9300 suspended',
  },
  {
    name: 'a process that crashes',
    own: { nodejs: { type: 'x', port: 1 } },
    container: { command: broken },
    want: 'nodejs - crash',
  },
  {
    name: 'a port of a name of their own',
    own: { vm: { type: 'dart' } },
    container: { ports: ports('vm') },
    want: '- 8181 live',
    why: /is named vm/,
  },
  {
    name: 'a port of another name',
    own: { vm: { type: 'dart' } },
    container: { ports: ports('vn') },
    want: '- - not-debuggable',
  },
  {
    name: 'a port of a tricky name',
    own: { vm: { type: 'dart' } },
    container: { ports: ports('constructor') },
    want: '- - not-debuggable',
  },
];
for (const { name, own, container, annotation, want, why } of cases)
  test(`own recipe in detection: ${name}`, () => {
    const web = { name: 'web', ...container };
    const metadata = annotation ? { annotations: annotated(annotation) } : {};
    const seen = detectWith(overrides(own), detect)(web, { metadata, spec: { containers: [web] } });
    assert.equal(`${seen.runtime ?? '-'} ${seen.port ?? '-'} ${seen.verdict}`, want, JSON.stringify(seen));
    if (seen.verdict === 'live') assert.deepEqual([seen.listed, seen.reason], [true, undefined]);
    if (why) assert.match(seen.found, why);
  });

test('own recipe in detection: without any, nothing is added', () =>
  assert.equal(detectWith(new Map(), detect), detect));

test('own recipe in detection: pods with a port of such a name are read', () => {
  const words = wordsOf(overrides({ vm: {}, 'No Port Name': {} }));
  assert.deepEqual(words, ['"name":"vm"']);
  const pod = (name: string) => ({
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'web', ports: ports(name) }] },
  });
  assert.equal(mayBeListed(JSON.stringify(pod('vm'))), false);
  assert.equal(mayBeListed(JSON.stringify(pod('vm')), words), true);
  assert.equal(mayBeListed(JSON.stringify(pod('vn')), words), false);
  const list = { kind: 'PodList', metadata: { resourceVersion: '1' }, items: [pod('vm'), pod('vn')] };
  assert.equal(parsePage(Buffer.from(JSON.stringify(list)), words).pods.length, 1);
});

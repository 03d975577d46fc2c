import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { detect } from '../../../../src/cluster/detect/detect.ts';
import { triggers } from '../../../../src/cluster/detect/triggers.ts';
import type { Pod, PodContainer } from '../../../../src/cluster/pods/pod.ts';
import { headOf, mayBeListed } from '../../../../src/cluster/watch/prefilter.ts';

/** A watch event as an API server writes it, read as the watch reads it. */
const frameOf = (pod: Pod) =>
  Buffer.from(JSON.stringify({ type: 'ADDED', object: { kind: 'Pod', apiVersion: 'v1', ...pod } })).toString('latin1');

interface Row {
  readonly id: string;
  readonly where: string;
  readonly value: unknown;
}

/** The table of set-ups (`id`, `where`, `text`, …); lines of one id are one container. */
const rows: readonly Row[] = readFileSync(new URL('../../../fixtures/flags.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map(line => line.split('\t'))
  .map(([id, where, text]) => ({ id: id!, where: where!, value: JSON.parse(text!) as unknown }));

const pods = [...Map.groupBy(rows, ({ id }) => id)].map(([id, parts]) => ({ id, pod: podOf(parts) }));

function podOf(parts: readonly Row[]): Pod {
  const container: Record<string, unknown> = { name: 'app' };
  const annotations: Record<string, string> = {};
  for (const { where, value } of parts) {
    if (where === 'annotation') annotations['debug.cloud.google.com/config'] = JSON.stringify({ app: value });
    else if (where === 'mounts') container.volumeMounts = (value as string[]).map(mountPath => ({ mountPath }));
    else if (where.startsWith('env '))
      (container.env = [container.env ?? []].flat()).push({ name: where.slice(4), value });
    else container[where] = value;
  }
  const spec = { containers: [container as PodContainer] };
  return { metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '1', annotations }, spec };
}

for (const { id, pod } of pods)
  test(`prefilter: ${id} passes if it is listed, in any kind of container`, () => {
    const spec = pod.spec!.containers![0]!;
    if (!detect(spec, pod).listed) return;
    assert.ok(mayBeListed(frameOf(pod)));
    assert.ok(mayBeListed(frameOf({ ...pod, spec: { ephemeralContainers: [spec] } })));
  });

test('prefilter: the table has all its rows, and most of them are listed', () => {
  assert.equal(pods.length, 74);
  assert.ok(pods.filter(({ pod }) => detect(pod.spec!.containers![0]!, pod).listed).length > 60);
});

/** Found by other words: Keycloak's start script debugs only with one of these. */
const onlyWith: Readonly<Record<string, readonly string[]>> = { 'kc.sh': ['--debug', '"name":"DEBUG"'] };

test('prefilter: Keycloak is listed only with a word that passes', () => {
  const start: PodContainer = { name: 'app', command: ['kc.sh', 'start-dev'] };
  assert.equal(detect(start, podOf([])).listed, false);
  for (const set of [{ args: ['--debug'] }, { env: [{ name: 'DEBUG', value: 'true' }] }]) {
    const spec = { ...start, ...set };
    const pod: Pod = { spec: { containers: [spec] } };
    assert.equal(detect(spec, pod).listed, true);
    assert.ok(mayBeListed(frameOf(pod)));
  }
});

for (const trigger of new Set(triggers))
  test(`prefilter: ${trigger} passes wherever it stands`, () => {
    for (const other of onlyWith[trigger] ?? ['']) {
      assert.ok(mayBeListed(`${trigger}${other}`));
      assert.ok(mayBeListed(`{"a":"é🙂 ${trigger}x ${other}"}`));
    }
  });

const foreign: { name: string; text: string }[] = [
  { name: 'nothing', text: '{"name":"web","args":["--port=8080"]}' },
  { name: 'a log level', text: '{"args":["--log-level=debug"]}' },
  { name: 'words that hold a part of a trigger', text: '{"image":"ldap","labels":{"inspector":"x","nester":"dap-x"}}' },
];
for (const { name, text } of foreign) test(`prefilter: ${name} does not pass`, () => assert.ok(!mayBeListed(text)));

const heads: { name: string; line: string; want: ReturnType<typeof headOf> }[] = [
  {
    name: 'as API servers write it',
    line: '{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1","generateName":"web-","namespace":"shop","uid":"u","resourceVersion":"12","x":1}}}',
    want: { key: 'shop/web-1', resourceVersion: '12' },
  },
  {
    name: 'of an old server',
    line: '{"type":"DELETED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1","namespace":"shop","selfLink":"/api/v1/x","uid":"u","resourceVersion":"12"}}}',
    want: { key: 'shop/web-1', resourceVersion: '12' },
  },
  {
    name: 'in another order',
    line: '{"object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1"',
    want: undefined,
  },
  {
    name: 'a bookmark',
    line: '{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"12"',
    want: undefined,
  },
  { name: 'an error', line: '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1"', want: undefined },
];
for (const { name, line, want } of heads) test(`head of an event: ${name}`, () => assert.deepEqual(headOf(line), want));

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { ANNOTATION } from '../../../../src/cluster/detect/annotation.ts';
import { detect } from '../../../../src/cluster/detect/detect.ts';
import { triggers } from '../../../../src/cluster/detect/triggers.ts';
import type { Pod, PodContainer } from '../../../../src/cluster/pods/pod.ts';

/** One container of the table: its lines taken together. */
interface Case {
  readonly id: string;
  readonly pod: Pod;
  readonly runtime: string;
  readonly port: string;
  readonly verdict: string;
  readonly note: string;
}

const cases = readTable(readFileSync(new URL('../../../fixtures/flags.tsv', import.meta.url), 'utf8'));

test('the table has all its rows', () => assert.equal(cases.length, 74));

for (const { id, pod, runtime, port, verdict, note } of cases) {
  const detection = detect(pod.spec!.containers![0]!, pod);

  test(`${id} ${note}`, () => {
    // The table writes "?" for a port that exists but cannot be read, "-" for none; both are no port here.
    const wanted = { runtime: runtime === '?' ? undefined : runtime, port: Number(port) || undefined, verdict };
    const { runtime: seenRuntime, port: seenPort, verdict: seenVerdict } = detection;
    assert.deepEqual({ runtime: seenRuntime, port: seenPort, verdict: seenVerdict }, wanted, JSON.stringify(detection));
  });

  test(`${id} has a reason when it is not plainly debuggable`, () => {
    if (!['live', 'suspended'].includes(verdict)) assert.ok(detection.reason);
  });

  test(`${id} passes the byte search if it is listed`, () => {
    const text = JSON.stringify(pod);
    if (detection.listed)
      assert.ok(
        triggers.some(word => text.includes(word)),
        text,
      );
  });
}

const unlisted = ['F45', 'F58', 'F59', 'F60', 'F69'];
test('only containers that somebody meant to debug are listed', () =>
  assert.deepEqual(
    cases.filter(({ pod }) => !detect(pod.spec!.containers![0]!, pod).listed).map(({ id }) => id),
    unlisted,
  ));

function readTable(text: string): Case[] {
  const [header, ...lines] = text.trimEnd().split('\n');
  assert.equal(header, 'id\twhere\ttext\truntime\tport\tverdict\tnote');
  const rows = lines.map(line => line.split('\t') as [string, string, string, string, string, string, string]);
  return [...Map.groupBy(rows, ([id]) => id)].map(([id, group]) => {
    const [, , , runtime, port, verdict, note] = group[0]!;
    return {
      id,
      pod: podOf(group.map(([, where, json]) => ({ where, value: JSON.parse(json) as never }))),
      runtime,
      port,
      verdict,
      note,
    };
  });
}

function podOf(parts: readonly { where: string; value: never }[]): Pod {
  const of = (where: string) => parts.find(part => part.where === where)?.value;
  const env = parts.flatMap(({ where, value }) => (where.startsWith('env ') ? [{ name: where.slice(4), value }] : []));
  const container: PodContainer = {
    name: 'app',
    ...(['command', 'args', 'ports', 'image'] as const).reduce(
      (all, key) => (of(key) ? { ...all, [key]: of(key) } : all),
      {},
    ),
    ...(env.length > 0 ? { env } : {}),
    ...(of('mounts') ? { volumeMounts: (of('mounts') as unknown as string[]).map(mountPath => ({ mountPath })) } : {}),
  };
  const annotations = of('annotation') ? { [ANNOTATION]: JSON.stringify({ app: of('annotation') }) } : {};
  return { metadata: { name: 'app-1', annotations }, spec: { containers: [container] } };
}

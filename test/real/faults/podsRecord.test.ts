// The measure of the other tests here can fail: a log that misses, doubles or mixes up is told from a complete one.
import assert from 'node:assert/strict';
import test from 'node:test';
import { type NodeRun, recordOf } from '../support/kubeletRecord.ts';
import { differencesOf } from '../support/kubeletRecordCompare.ts';
import type { ContainerEvent } from '../support/product.ts';

const containerd = `
time="…" level=info msg="RunPodSandbox for &PodSandboxMetadata{Name:db-0,Uid:u1,Namespace:shop,Attempt:0,} returns sandbox id \\"5a\\""
time="…" level=info msg="CreateContainer within sandbox \\"5a\\" for container &ContainerMetadata{Name:web,Attempt:0,}"
time="…" level=info msg="CreateContainer within sandbox \\"5a\\" for &ContainerMetadata{Name:web,Attempt:0,} returns container id \\"c0\\""
time="…" level=info msg="CreateContainer within sandbox \\"5a\\" for &ContainerMetadata{Name:web,Attempt:1,} returns container id \\"c1\\""
`;

const pleg = (time: string, id: string, before: string, now: string) =>
  `I1201 ${time}    72 generic.go:254] "GenericPLEG" podUID="u1" containerID="${id}" oldState="${before}" newState="${now}"\n`;

test('the record has each run once, from what the kubelet sees before and after a restart of its own', () => {
  const kubelet = [
    pleg('02:00:00.000000', '5a', 'non-existent', 'running'),
    pleg('02:00:01.000000', 'c0', 'non-existent', 'unknown'),
    pleg('02:00:02.000000', 'c0', 'unknown', 'running'),
    'I1201 02:00:03.000000    72 generic.go:406] "Generic (PLEG): container finished" podID="u1" containerID="c0" exitCode=137\n',
    pleg('02:00:03.000000', 'c0', 'running', 'exited'),
    pleg('02:00:04.000000', 'c1', 'non-existent', 'running'),
    pleg('02:00:09.000000', 'c0', 'non-existent', 'exited'),
    pleg('02:00:09.000000', 'c1', 'non-existent', 'running'),
  ].join('');
  const runs = recordOf(kubelet, containerd);
  assert.deepEqual(
    runs.map(({ id, pod, podUid, namespace, container, exitCode }) => [
      id,
      pod,
      podUid,
      namespace,
      container,
      exitCode,
    ]),
    [
      ['c0', 'db-0', 'u1', 'shop', 'web', 137],
      ['c1', 'db-0', 'u1', 'shop', 'web', undefined],
    ],
  );
  assert.equal(runs[0]!.endedMs! - runs[0]!.startedMs, 1_000);
  assert.equal(runs[1]!.startedMs - runs[0]!.startedMs, 2_000);
});

const since = Date.parse('2026-12-01T02:00:00Z');
const run = (id: string, startedMs: number, endedMs?: number): NodeRun => ({
  ...{ id, namespace: 'shop', pod: 'db-0', podUid: 'u1', container: 'web', startedMs: since + startedMs },
  ...(endedMs === undefined ? {} : { endedMs: since + endedMs }),
});
const events = (...said: ContainerEvent['status'][]): ContainerEvent[] =>
  said.map(status => ({ status, namespace: 'shop', pod: 'db-0', container: 'web', time: '2026-12-01T02:00:01.000Z' }));

const cases: readonly {
  readonly name: string;
  readonly runs: readonly NodeRun[];
  readonly log: readonly ContainerEvent[];
  readonly says?: RegExp;
}[] = [
  {
    name: 'complete',
    runs: [run('c0', -9e5, 1_000), run('c1', 2_000)],
    log: events('Started', 'Terminated', 'Started'),
  },
  { name: 'a start is missing', runs: [run('c0', 1_000)], log: [], says: /shop\/db-0:web: 1 Started missing/ },
  {
    name: 'an end is missing',
    runs: [run('c0', 1_000, 2_000)],
    log: events('Started'),
    says: /1 Terminated missing\n {2}kubelet: c0 .*\n {2}log: Started/,
  },
  {
    name: 'an end is doubled',
    runs: [run('c0', 1_000, 2_000)],
    log: events('Started', 'Terminated', 'Terminated'),
    says: /1 Terminated too many/,
  },
  {
    name: 'an event of no run',
    runs: [],
    log: events('Started', 'Terminated'),
    says: /1 Started too many; 1 Terminated too many/,
  },
  {
    name: 'two at once',
    runs: [run('c0', 1_000, 2_000), run('c1', 3_000)],
    log: events('Started', 'Started', 'Terminated'),
    says: /not in turns/,
  },
  { name: 'over long before the first look', runs: [run('c0', -9e5, -8e5)], log: [] },
  {
    name: 'over long before the first look, and told',
    runs: [run('c0', -9e5, -8e5)],
    log: events('Started', 'Terminated'),
    says: /too many/,
  },
  { name: 'over just before the first look, not told', runs: [run('c0', -9e5, -500)], log: [] },
  {
    name: 'over just before the first look, and told',
    runs: [run('c0', -9e5, -500)],
    log: events('Started', 'Terminated'),
  },
];
for (const { name, runs, log, says } of cases)
  test(`the comparison: ${name}`, () => {
    const differences = differencesOf(runs, log, since).join('\n');
    if (says) assert.match(differences, says);
    else assert.equal(differences, '');
  });

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { promisify } from 'node:util';
import { inRoot } from '../../../.ci/lib/paths.ts';
import { debugging, startSkaffoldServer, v1Entry } from '../../support/skaffoldServer.ts';

const main = inRoot('src/headless/main.ts');
const recording = (name: string) => inRoot('test/fixtures/recordings', `${name}.ndjson`);

interface Line {
  readonly event?: { readonly kind: string; readonly body: { readonly status?: string; readonly podName?: string } };
  readonly entry?: string;
  readonly rows?: readonly { readonly pod: string; readonly runtime: string; readonly seenBy: readonly string[] }[];
  readonly runs?: readonly object[];
  readonly drain?: { readonly events: number; readonly outcome: string };
}

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Line);

const run = async (...args: string[]) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, ...args]);
  return { lines: linesOf(stdout), stderr };
};

/** Events told (each forward once, no lines of logs), debugging events as `S` and `T` with the pod's workload, rows left. */
const recordings: readonly [name: string, told: number, debugging: string, rows: readonly string[]][] = [
  [
    'real-node-three-runtimes.v1',
    46,
    'Sorders Sstock Sweb',
    ['orders-68b4c964f5-765xs', 'stock-b99cd5758-n5gzb', 'web-7ddb74975f-w58qm'],
  ],
  [
    'real-node-three-runtimes.v2',
    75,
    'Sstock Sweb Sorders',
    ['orders-68b4c964f5-765xs', 'stock-b99cd5758-n5gzb', 'web-7ddb74975f-w58qm'],
  ],
  [
    'redeploy-with-forwards.v1',
    26,
    'Sdotnet Sjava Snode Sjava Tjava',
    ['dotnet-b57cead4-5e6e1', 'java-af8879db-ba638', 'node-99e35c86-dbe4f'],
  ],
  [
    'restart-in-place.v1',
    19,
    'Sdotnet Sjava Snode Tjava Sjava',
    ['dotnet-1c4f03d6-f0183', 'java-596668c8-5e17a', 'node-3c253c1f-44b5c'],
  ],
  [
    'restarts-and-redeploys.v1',
    39,
    'Sdotnet Sjava Snode Tdotnet Sdotnet Tjava Tnode Sjava Sjava Tjava',
    ['dotnet-954eb147-b16d9', 'java-7332d6e4-6d2d2'],
  ],
  [
    'restarts-and-redeploys.v2',
    82,
    'Sdotnet Sjava Snode Tdotnet Sdotnet Tjava Tnode Sjava Sjava Tjava',
    ['dotnet-954eb147-b16d9', 'java-7332d6e4-6d2d2'],
  ],
  ['same-name-pod.v1', 24, 'Sdotnet Sjava Snode Tjava Sjava', ['dotnet-220617dc-31639', 'java-9b5eb19d-25a7a', 'node']],
  ['same-name-pod.v2', 52, 'Sdotnet Sjava Snode Tjava Sjava', ['dotnet-220617dc-31639', 'java-9b5eb19d-25a7a', 'node']],
  ['watch-dropped.v1', 14, 'Sdotnet Sjava Snode', ['dotnet-a3b0286c-2b803', 'java-da6f436a-40e1a', 'node']],
];

// A build that fails is told once more, with Skaffold's advice.
for (const [name, told, expected, pods] of recordings)
  test(`replay: ${name}`, async () => {
    const { lines, stderr } = await run('replay', recording(name));
    const events = lines.slice(0, -1).map(({ event }) => event!);
    const debuggingEvents = events.filter(({ kind }) => kind === 'debuggingContainerEvent');
    assert.equal(stderr, '');
    assert.equal(events.length, told);
    assert.equal(
      debuggingEvents.map(({ body }) => `${body.status![0]}${body.podName!.split('-')[0]}`).join(' '),
      expected,
    );
    assert.deepEqual(
      lines.at(-1)!.rows!.map(({ pod }) => pod),
      pods,
    );
  });

test('replay: both streams of one run are one history', async () => {
  const { lines } = await run('replay', ...['v2', 'v1'].map(api => recording(`real-node-three-runtimes.${api}`)));
  const kinds = lines.slice(0, -1).map(({ event }) => event!.kind);
  assert.equal(kinds.filter(kind => kind === 'debuggingContainerEvent').length, 3);
  assert.equal(kinds.filter(kind => kind === 'renderEvent').length, 4, 'which only v2 has');
  assert.ok(!kinds.includes('taskEvent'), 'which v1 tells in its own words');
  assert.partialDeepStrictEqual(lines.at(-1)!.runs, [
    { state: 'stopping', steps: [{ task: 'Build', subject: 'shop-orders', status: 'failed' }], containers: 3 },
  ]);
});

test('replay: what is no event is said with its line, and the rest is read', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'breakpod-replay-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'cut.ndjson');
  const whole =
    '{"result":{"timestamp":"2026-01-01T00:00:00Z","event":{"deployEvent":{"status":"Failed"}},"entry":"Deploy failed"}}';
  writeFileSync(file, ['{"error":{"code":14,"message":"closing"}}', whole, whole, '{"result":{"times'].join('\n'));
  const { lines, stderr } = await run('replay', file);
  assert.deepEqual(
    lines.map(({ entry }) => entry),
    ['Deploy failed', undefined],
    'one event, though it came twice',
  );
  assert.match(stderr, /cut\.ndjson, line 1, says that the stream failed: closing\n.*line 4, is not JSON/);
  await assert.rejects(run('replay', join(folder, 'none')), {
    code: 1,
    stderr: /The recording .*none cannot be read.*ENOENT/,
  });
  await assert.rejects(run('replay'), { code: 2, stderr: /no file given/ });
});

test('replay: as Windows writes files, and as many events as a long session has', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'breakpod-replay-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const line = (status: string) =>
    `{"timestamp":"2026-01-01T00:00:00Z","event":{"deployEvent":{"status":"${status}"}}}\r\n`;
  const contents = [
    Buffer.from(`\ufeff${line('with a mark')}`, 'utf8'),
    Buffer.from(`\ufeff${line('of PowerShell')}`, 'utf16le'),
    Buffer.from(line('many').repeat(200_000)),
  ];
  const files = contents.map((content, index) => {
    const file = join(folder, `${index}.ndjson`);
    writeFileSync(file, content);
    return file;
  });
  const { lines, stderr } = await run('replay', ...files);
  assert.equal(stderr, '');
  assert.deepEqual(
    lines.slice(0, -1).map(({ event }) => event!.body.status),
    ['with a mark', 'of PowerShell', 'many'],
  );
});

test('follow: events of a running Skaffold, and at an interrupt the drain', { timeout: 60_000 }, async t => {
  const server = await startSkaffoldServer({ replay: [v1Entry(1, debugging('web-1', 'Started'), 'web is here')] });
  t.after(() => server.kill());
  const child = spawn(process.execPath, [main, 'follow', '--rpc-port', `${server.port}`, '--drain-timeout', '60000']);
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const seen: Line[] = [];
  let sent = 1;
  const sendNext = () => server.v1(v1Entry(++sent, debugging('web-1', 'Terminated'), `no. ${sent}`));
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as Line;
    seen.push(line);
    if (line.entry === 'web is here') child.kill('SIGINT');
    if (line.drain || !line.event?.kind.startsWith('debugging')) continue;
    // Nothing tells when the interrupt has come, so there is more to drain for a while.
    if (sent < 10) setTimeout(sendNext, 200);
    else server.endStreams();
  }
  assert.deepEqual(await ended, [0, null]);
  const { events, outcome } = seen.at(-1)!.drain!;
  assert.equal(outcome, 'complete');
  assert.ok(events > 0 && events < 10, String(events));
});

test('follow: a port where nobody answers', async () => {
  const server = await startSkaffoldServer();
  server.kill();
  const args = ['follow', '--rpc-port', `${server.port}`];
  await assert.rejects(run(...args), { code: 1, stderr: /No Skaffold answers at port \d+\. Start it with/ });
  await assert.rejects(run('follow'), { code: 2, stderr: /--rpc-port is missing/ });
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { type Found, findSkaffolds } from '../../../../src/skaffold/discovery/findSkaffolds.ts';
import { foldersIn, inPs } from '../../../../src/skaffold/discovery/macos.ts';
import type { Process } from '../../../../src/skaffold/discovery/process.ts';
import { groupIn, listenersIn } from '../../../../src/skaffold/discovery/sockets.ts';
import { watchSkaffolds } from '../../../../src/skaffold/discovery/watchSkaffolds.ts';
import { inCim, wordsOf } from '../../../../src/skaffold/discovery/windows.ts';

test('ps: processes of the user that can be a Skaffold', () => {
  const output = `    1     0 /sbin/launchd
  501   501 /usr/local/bin/skaffold debug  --rpc-port 50051
  502   502 skaffold debug --rpc-port 1
  503   501 vi letter.txt
not a line
`;
  assert.deepEqual(inPs(output, 501), [
    { pid: 501, words: ['/usr/local/bin/skaffold', 'debug', '--rpc-port', '50051'] },
  ]);
});

test('lsof: the folder of each process', () => {
  const folders = foldersIn('p501\nfcwd\nn/Users/me/shop\np502\nfcwd\nn/Users/me/a b\n');
  assert.deepEqual(
    [...folders],
    [
      [501, '/Users/me/shop'],
      [502, '/Users/me/a b'],
    ],
  );
  assert.equal(foldersIn('').size, 0);
});

const cims: { name: string; output: string; pids: number[] }[] = [
  { name: 'nothing', output: '', pids: [] },
  { name: 'one', output: '{"ProcessId":4,"CommandLine":"skaffold debug"}', pids: [4] },
  {
    name: 'several, one of somebody else',
    output:
      '[{"ProcessId":4,"CommandLine":"skaffold debug"},{"ProcessId":5,"CommandLine":null},{"ProcessId":6,"CommandLine":"x"}]',
    pids: [4, 6],
  },
  { name: 'an error', output: 'Get-CimInstance : Access denied', pids: [] },
  { name: 'something else', output: '[null,1,"x"]', pids: [] },
];
for (const { name, output, pids } of cims)
  test(`PowerShell: ${name}`, () =>
    assert.deepEqual(
      inCim(output).map(({ pid }) => pid),
      pids,
    ));

const lines: { line: string; words: string[] }[] = [
  { line: '', words: [] },
  { line: ' a  b ', words: ['a', 'b'] },
  {
    line: String.raw`"C:\Program Files\skaffold.exe" debug`,
    words: [String.raw`C:\Program Files\skaffold.exe`, 'debug'],
  },
  { line: String.raw`-f C:\x\ "a b"`, words: ['-f', 'C:\\x\\', 'a b'] },
  { line: String.raw`"a\"b" c\\"d e"`, words: ['a"b', String.raw`c\d e`] },
  { line: String.raw`"q\\" a\\b ""`, words: ['q\\', String.raw`a\\b`, ''] },
  { line: '"open', words: ['open'] },
];
for (const { line, words } of lines)
  test(`a command line of Windows: ${line}`, () => assert.deepEqual(wordsOf(line), words));

const header = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const socket = (local: string, state: string, inode: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000 100 0 0 10 0`;

test('/proc/net/tcp: what listens where 127.0.0.1 leads', () => {
  const table = [
    header,
    socket('0100007F:C383', '0A', 1),
    socket('00000000:0050', '0A', 2),
    socket('0100007F:C384', '01', 3),
    socket('0101A8C0:C385', '0A', 4),
    socket('00000000000000000000000000000000:1F90', '0A', 5),
    socket('0000000000000000FFFF00000100007F:1F91', '0A', 6),
    socket('00000000000000000000000001000000:1F92', '0A', 7),
    '',
  ].join('\n');
  assert.deepEqual(
    [...listenersIn(table)],
    [
      ['1', 50_051],
      ['2', 80],
      ['5', 8080],
      ['6', 8081],
    ],
  );
  assert.equal(listenersIn('').size, 0);
});

test('/proc/…/stat: the group of a process with an odd name', () => {
  assert.equal(groupIn('42 (a) b) S 1 40 41 0 -1'), 40);
  assert.ok(Number.isNaN(groupIn('')));
});

const at = (pid: number, words: string, more: Partial<Process> = {}): Process => ({
  pid,
  words: words.split(' '),
  ...more,
});

const found: { name: string; processes: Process[]; ports?: Record<number, number[]>; want: Partial<Found>[] }[] = [
  {
    name: 'its folder and its file',
    processes: [at(1, 'skaffold debug --rpc-port=5', { folder: '/shop' })],
    want: [{ pid: 1, port: 5, folder: '/shop', file: '/shop/skaffold.yaml' }],
  },
  {
    name: 'a file elsewhere, and one that is none',
    processes: [
      at(1, 'skaffold debug --rpc-port=5 -f ../a.yaml', { folder: '/shop' }),
      at(2, 'skaffold debug --rpc-port=6 -f /b.yaml'),
      at(3, 'skaffold debug --rpc-port=7 -f -', { folder: '/shop' }),
      at(4, 'skaffold debug --rpc-port=8 -f https://example.com/a.yaml', { folder: '/shop' }),
      at(5, 'skaffold debug --rpc-port=9'),
    ],
    want: [
      { pid: 1, port: 5, folder: '/shop', file: '/a.yaml' },
      { pid: 2, port: 6, file: '/b.yaml' },
      { pid: 3, port: 7, folder: '/shop' },
      { pid: 4, port: 8, folder: '/shop' },
      { pid: 5, port: 9 },
    ],
  },
  { name: 'no port at all', processes: [at(1, 'skaffold debug')], want: [] },
  {
    name: 'any port, which the system tells',
    processes: [at(1, 'skaffold debug --rpc-port 0'), at(2, 'skaffold debug --rpc-http-port 60')],
    ports: { 1: [50], 2: [60, 61] },
    want: [
      { pid: 1, port: 50 },
      { pid: 2, port: 61 },
    ],
  },
  {
    name: 'two ports that cannot be told apart',
    processes: [at(1, 'skaffold debug --rpc-port 0 --rpc-http-port 0')],
    ports: { 1: [50, 51] },
    want: [],
  },
  {
    name: 'a script and what it has started',
    processes: [at(1, 'sh /bin/skaffold debug --rpc-port=5'), at(2, 'skaffold debug --rpc-port=5')],
    want: [{ pid: 2, port: 5 }],
  },
];
for (const { name, processes, ports = {}, want } of found)
  test(`found: ${name}`, { skip: process.platform === 'win32' && 'paths of POSIX' }, async () => {
    const table = { read: async () => processes, portsOf: async (pid: number) => ports[pid] ?? [] };
    assert.deepEqual(
      await findSkaffolds(table),
      want.map(one => ({ modules: [], profiles: [], ...one })),
    );
  });

test('a table that cannot be read has nothing', async () => {
  assert.deepEqual(await findSkaffolds({ read: () => Promise.reject(new Error('no /proc')) }), []);
});

test('a watch tells what is there, then what changes', async () => {
  const one: Found = { pid: 1, port: 5, modules: [], profiles: [] };
  const two: Found = { ...one, pid: 2, port: 6 };
  const looks = [[one], [one], [one, two], [two], [], []];
  const stop = new AbortController();
  const seen: [number[], number[]][] = [];
  const find = async () => {
    if (looks.length === 1) stop.abort();
    return looks.shift()!;
  };
  for await (const { appeared, gone } of watchSkaffolds({ signal: stop.signal, everyMs: 1, find }))
    seen.push([appeared.map(({ pid }) => pid), gone.map(({ pid }) => pid)]);
  assert.deepEqual(seen, [
    [[1], []],
    [[2], []],
    [[], [1]],
    [[], [2]],
  ]);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import type { Exec } from '../../../src/core/contracts.ts';
import { UserError } from '../../../src/core/errors.ts';
import { type DotnetProcess, netcoreInside } from '../../../src/debuggers/netcore/inside.ts';

// What is in the container is given here; the script that finds it runs for real in the integration tests.

const at = { cluster: 'c', namespace: 'shop', pod: 'api-1', podUid: 'u', container: 'api' };

interface Given {
  /** What the shell prints; absent where there is none. */
  readonly shell?: string;
  /** Programs that can be started. */
  readonly programs?: readonly string[];
  readonly isMicrosoftEditor?: boolean;
  readonly picks?: number | undefined;
}

async function look({ shell, programs = [], isMicrosoftEditor = true, picks }: Given) {
  const offered: DotnetProcess[][] = [];
  const exec: Exec = {
    async run(_at, [program = '']) {
      if (program === '/bin/sh' && shell !== undefined) return { code: 0, stdout: shell, stderr: '' };
      if (programs.includes(program)) return { code: 1, stdout: '', stderr: 'usage' };
      throw new UserError('exec-no-program', `There is no program "${program}".`);
    },
  };
  const found = await netcoreInside({
    exec,
    at,
    isMicrosoftEditor,
    async pick(all) {
      offered.push([...all]);
      return all.find(({ pid }) => pid === picks);
    },
    signal: AbortSignal.timeout(10_000),
  });
  return { found, offered: offered.flat().map(({ pid }) => pid) };
}

const line = (pid: number, ...command: readonly string[]) => `process ${pid} ${command.join('\x1f')}\x1f`;
const skaffold = 'debugger /dbg/netcore/vsdbg';
const cases: { name: string; given: Given; want: { path: string; pid: number } | undefined; offered?: number[] }[] = [
  {
    name: 'the only program',
    given: { shell: [skaffold, line(7, '/usr/bin/dotnet', 'Api.dll')].join('\n') },
    want: { path: '/dbg/netcore/vsdbg', pid: 7 },
  },
  {
    name: 'H51: a program of its own name, beside dotnet run and the servers of the build',
    given: {
      shell: [
        skaffold,
        line(1, 'dotnet', 'run', '--project', 'Api'),
        line(40, '/usr/bin/dotnet', '/usr/share/dotnet/sdk/9.0/MSBuild.dll', '/nodemode:1'),
        line(41, '/usr/bin/dotnet', 'exec', '/usr/share/dotnet/sdk/9.0/Roslyn/bincore/VBCSCompiler.dll'),
        line(395, '/app/MyService'),
      ].join('\n'),
    },
    want: { path: '/dbg/netcore/vsdbg', pid: 395 },
  },
  {
    name: 'H51: several programs: the user picks',
    given: { shell: [skaffold, line(7, 'dotnet', 'A.dll'), line(9, 'dotnet', 'B.dll')].join('\n'), picks: 9 },
    want: { path: '/dbg/netcore/vsdbg', pid: 9 },
    offered: [7, 9],
  },
  {
    name: 'several programs, and the user gives up',
    given: { shell: [skaffold, line(7, 'dotnet', 'A.dll'), line(9, 'dotnet', 'B.dll')].join('\n') },
    want: undefined,
    offered: [7, 9],
  },
  {
    name: 'H51: no program can be told from the others: the first process',
    given: { shell: skaffold },
    want: { path: '/dbg/netcore/vsdbg', pid: 1 },
  },
  {
    name: 'an image without a shell',
    given: { programs: ['/vsdbg/vsdbg'] },
    want: { path: '/vsdbg/vsdbg', pid: 1 },
  },
  {
    name: 'another editor uses netcoredbg, also beside vsdbg',
    given: { shell: `${skaffold}\ndebugger /netcoredbg/netcoredbg`, isMicrosoftEditor: false },
    want: { path: '/netcoredbg/netcoredbg', pid: 1 },
  },
];

for (const { name, given, want, offered = [] } of cases)
  test(`netcore: ${name}`, async () => assert.deepEqual(await look(given), { found: want, offered }));

for (const { name, given, code } of [
  { name: 'no debugger', given: { shell: '' }, code: 'netcore-debugger-missing' },
  { name: 'no debugger and no shell', given: {}, code: 'netcore-debugger-missing' },
  {
    name: 'vsdbg in another editor',
    given: { shell: skaffold, isMicrosoftEditor: false },
    code: 'netcore-vsdbg-refuses',
  },
])
  test(`netcore: ${name} is said`, async () => {
    await assert.rejects(look(given), { code });
  });

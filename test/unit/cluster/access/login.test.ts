import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import type { UserEntry } from '../../../../src/cluster/kubeconfig/entries.ts';
import { commandOf } from '../../../../src/cluster/login/command.ts';
import { impersonationHeaders } from '../../../../src/cluster/login/impersonation.ts';
import { Shared } from '../../../../src/cluster/login/shared.ts';

const user: UserEntry = { name: 'u', asGroups: [], asUserExtra: {} };

const headers: { name: string; user: Partial<UserEntry>; headers: Record<string, unknown> }[] = [
  { name: 'nothing', user: {}, headers: {} },
  { name: 'uid', user: { asUid: '7' }, headers: { 'Impersonate-Uid': '7' } },
  { name: 'groups', user: { asGroups: ['a', 'b,c'] }, headers: { 'Impersonate-Group': ['a', 'b,c'] } },
  {
    name: 'extra',
    user: { asUserExtra: { 'acme.com/x é': ['1', '2'], none: [] } },
    headers: { 'Impersonate-Extra-acme.com%2Fx%20%C3%A9': ['1', '2'] },
  },
];

for (const { name, user: some, headers: expected } of headers)
  test(`impersonationHeaders: ${name}`, () => assert.deepEqual(impersonationHeaders({ ...user, ...some }), expected));

test('a command on Windows is found by PATHEXT, and a batch file goes through cmd.exe with its arguments kept', t => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'access-'));
  t.after(() => rmSync(directory, { recursive: true }));
  for (const name of ['tool.EXE', 'login.CMD']) writeFileSync(path.join(directory, name), '');
  const env = { PATH: `;C:\\none;${directory}`, PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\cmd.exe' };
  const at = (name: string) => path.join(directory, name);
  assert.deepEqual(commandOf('tool', ['a b'], env, 'win32'), {
    file: at('tool.EXE'),
    args: ['a b'],
    isVerbatim: false,
  });
  assert.equal(commandOf('gone', [], env, 'win32'), undefined);
  assert.deepEqual(commandOf(at('tool.EXE'), [], env, 'win32')?.file, at('tool.EXE'));
  const batch = commandOf('login', ['a b', 'c&d', '%PATH%', 'say "hi"', 'dir\\'], env, 'win32');
  assert.deepEqual(batch, {
    file: 'C:\\cmd.exe',
    args: ['/d', '/s', '/c', `"^"${at('login.CMD')}^" ^"a b^" ^"c^&d^" ^"^%PATH^%^" ^"say \\^"hi\\^"^" ^"dir\\\\^""`],
    isVerbatim: true,
  });
});

test('elsewhere a command is started as it is named', () =>
  assert.deepEqual(commandOf('aws', ['x'], {}, 'linux'), { file: 'aws', args: ['x'], isVerbatim: false }));

test('Shared: work starts anew after it has ended, also by an error', async () => {
  let runs = 0;
  const shared = new Shared(async () => {
    if (++runs === 1) throw new Error('first');
    return runs;
  });
  await assert.rejects(shared.get(), /first/);
  assert.deepEqual(await Promise.all([shared.get(), shared.get()]), [2, 2]);
  assert.equal(await shared.get(), 3);
});

test('Shared: one who leaves does not end the work of the others; the last one does', async () => {
  const signals: AbortSignal[] = [];
  const end = Promise.withResolvers<string>();
  const shared = new Shared(signal => {
    signals.push(signal);
    return end.promise;
  });
  const [one, two] = [new AbortController(), new AbortController()];
  const [first, second] = [shared.get(one.signal), shared.get(two.signal)];
  one.abort(new Error('left'));
  await assert.rejects(first, /left/);
  assert.equal(signals[0]!.aborted, false);
  two.abort(new Error('left too'));
  await assert.rejects(second, /left too/);
  assert.equal(signals[0]!.aborted, true);
  const third = shared.get();
  end.resolve('done');
  assert.equal(await third, 'done');
  assert.equal(signals.length, 2, 'new work for who comes after that');
  await assert.rejects(shared.get(AbortSignal.abort(new Error('never'))), /never/);
});

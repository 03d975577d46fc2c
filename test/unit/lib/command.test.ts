import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { commandOf, findProgram } from '../../../src/lib/command.ts';

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

test('a program is found as a shell finds it', { skip: process.platform === 'win32' && 'needs file modes' }, t => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'command-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const at = (...parts: string[]) => path.join(directory, ...parts);
  mkdirSync(at('first', 'tool'), { recursive: true });
  mkdirSync(at('second'));
  for (const name of ['plain', 'tool']) writeFileSync(at('second', name), '');
  chmodSync(at('second', 'tool'), 0o755);
  const env = { PATH: `::${at('none')}:${at('first')}:${at('second')}` };
  assert.equal(findProgram('tool', env, 'linux'), at('second', 'tool'), 'a folder of that name is no program');
  assert.equal(findProgram('plain', env, 'linux'), undefined, 'a file that may not be started is none');
  assert.equal(findProgram(at('second', 'tool'), {}, 'linux'), at('second', 'tool'));
  assert.equal(findProgram('tool', {}, 'linux'), undefined);
});

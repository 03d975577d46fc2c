import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { watchKubeconfig } from '../../../src/cluster/kubeconfig/watch.ts';
import { directoryFor } from './support.ts';

/** Waits for a call; what comes beyond it within a moment counts too. */
async function callsAfter(t: TestContext, files: string[], changes: (() => void)[]): Promise<number[]> {
  const seen = { calls: 0 };
  const watch = watchKubeconfig(files, () => seen.calls++);
  t.after(() => watch.dispose());
  const counts: number[] = [];
  for (const change of changes) {
    const before = seen.calls;
    change();
    const limit = AbortSignal.any([t.signal, AbortSignal.timeout(20_000)]);
    while (seen.calls === before) await delay(20, undefined, { signal: limit });
    await delay(500);
    counts.push(seen.calls - before);
  }
  return counts;
}

test('a file that is written, replaced, removed and made again', async t => {
  const directory = directoryFor(t);
  const file = path.join(directory, 'config');
  writeFileSync(file, 'a');
  const counts = await callsAfter(
    t,
    [file],
    [
      () => ['b', 'c', 'd'].forEach(content => writeFileSync(file, content)),
      () => {
        writeFileSync(`${file}.new`, 'e');
        renameSync(`${file}.new`, file);
      },
      () => writeFileSync(file, 'f'),
      () => rmSync(file),
      () => writeFileSync(file, 'f'),
    ],
  );
  assert.deepEqual(counts, [1, 1, 1, 1, 1]);
});

test('a file whose directory is made later, and goes and comes back', async t => {
  const directory = directoryFor(t);
  const parent = path.join(directory, 'home', '.kube');
  const file = path.join(parent, 'config');
  const make = () => {
    mkdirSync(parent, { recursive: true });
    writeFileSync(file, 'a');
  };
  const counts = await callsAfter(
    t,
    [file],
    [make, () => writeFileSync(file, 'b'), () => rmSync(path.join(directory, 'home'), { recursive: true }), make],
  );
  assert.deepEqual(counts, [1, 1, 1, 1]);
});

test('what a symbolic link leads to', { skip: process.platform === 'win32' }, async t => {
  const directory = directoryFor(t);
  for (const name of ['real', 'links']) mkdirSync(path.join(directory, name));
  const [target, link] = [path.join(directory, 'real', 'config'), path.join(directory, 'links', 'config')];
  writeFileSync(target, 'a');
  symlinkSync(target, link);
  assert.deepEqual(await callsAfter(t, [link], [() => writeFileSync(target, 'b')]), [1]);
});

test('changes beside the files and writes of the same content are no changes; nothing comes after dispose', async t => {
  const directory = directoryFor(t);
  const file = path.join(directory, 'config');
  writeFileSync(file, 'a');
  let calls = 0;
  const watch = watchKubeconfig([file], () => calls++);
  writeFileSync(path.join(directory, 'other'), 'x');
  writeFileSync(file, 'a');
  await delay(600);
  watch.dispose();
  writeFileSync(file, 'b');
  await delay(600);
  assert.equal(calls, 0);
});

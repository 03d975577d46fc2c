import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { madeFolders, noteMissing, removeMade } from '../../real/cluster/places.ts';

/** A machine with `/var`, and what an `up` does on it: note what is missing, then make it. */
function machine(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'places-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'var'));
  const notes = join(root, 'notes');
  const wanted = [join(root, 'var/lib/kubelet'), join(root, 'var/lib/cni')];
  const up = () => {
    noteMissing(wanted, notes);
    for (const folder of wanted) mkdirSync(folder, { recursive: true });
  };
  return { root, notes, wanted, up };
}

const nothingMounted = () => new Set<string>();

test('what was made goes, with its parents, and nothing else', t => {
  const { root, notes, wanted, up } = machine(t);
  up();
  assert.deepEqual(madeFolders(notes).sort(), [join(root, 'var/lib'), ...wanted].sort());
  removeMade(notes, nothingMounted);
  assert.deepEqual([existsSync(join(root, 'var/lib')), existsSync(join(root, 'var'))], [false, true]);
  assert.deepEqual([madeFolders(notes), existsSync(notes)], [[], false]);
});

test('what was there before stays', t => {
  const { notes, wanted, up } = machine(t);
  for (const folder of wanted) mkdirSync(folder, { recursive: true });
  up();
  removeMade(notes, nothingMounted);
  assert.deepEqual(
    wanted.map(folder => existsSync(folder)),
    [true, true],
  );
});

test('what somebody uses by now stays', t => {
  const { notes, wanted, up } = machine(t);
  up();
  writeFileSync(join(wanted[0]!, 'file'), '');
  removeMade(notes, nothingMounted);
  assert.deepEqual(
    wanted.map(folder => existsSync(folder)),
    [true, false],
  );
});

test('the last cluster removes what the first has made', t => {
  const { notes, wanted, up } = machine(t);
  up();
  up(); // the second finds nothing missing
  removeMade(notes, () => new Set([wanted[1]!]));
  assert.deepEqual(
    wanted.map(folder => existsSync(folder)),
    [true, true],
  );
  removeMade(notes, nothingMounted);
  assert.deepEqual(
    wanted.map(folder => existsSync(folder)),
    [false, false],
  );
});

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { localFiles } from '../../../src/debuggers/localFiles.ts';
import { findProjects } from '../../../src/debuggers/paths/projects.ts';

const cases: [runtime: string, files: readonly string[], want: readonly string[]][] = [
  ['deno', ['a/deno.json', 'b/main.ts'], ['a']],
  ['deno', ['b/main.ts'], ['b']],
  ['bun', ['a/package.json', 'b/x.rb'], ['a']],
  ['ruby', ['a/Gemfile', 'b/package.json'], ['a']],
  ['ruby', ['a/app.rb'], ['a']],
  ['native', ['a/Cargo.toml', 'b/CMakeLists.txt', 'c/go.mod'], ['a', 'b']],
  ['native', ['a/src/main.rs'], ['a/src']],
];
for (const [runtime, files, want] of cases)
  test(`projects of ${runtime}: ${files.join(', ')}`, async t => {
    const folder = await mkdtemp(join(tmpdir(), 'breakpod-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    for (const file of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), '');
    }
    const found = await findProjects(
      localFiles(() => [folder]),
      [folder],
      runtime,
    );
    assert.deepEqual(
      found.map(({ dir }) => dir).toSorted(),
      want.map(dir => join(folder, dir)),
    );
  });

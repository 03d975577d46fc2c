import assert from 'node:assert/strict';
import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Images } from '../../../src/demo/images/images.ts';
import { cannotCompile } from '../../../src/demo/images/typescript.ts';
import { WORKLOADS } from '../../../src/demo/workloads.ts';
import { sources, temporaryDirectory } from './support.ts';

const web = WORKLOADS.find(({ name }) => name === 'web')!;
/** A Node without a compiler. */
const withoutCompiler = () => {
  throw cannotCompile('none');
};

test('an image holds what was compiled, without the sources; the next one has its own folder', async t => {
  const directory = temporaryDirectory(run => t.after(run));
  const workspace = join(directory, 'workspace');
  await cp(sources, workspace, { recursive: true });
  const images = new Images(workspace, join(directory, 'images'));
  const first = await images.build(web);
  assert.deepEqual((await readdir(first)).sort(), ['dist', 'package.json']);
  assert.deepEqual((await readdir(join(first, 'dist'))).sort(), ['server.js', 'server.js.map']);
  assert.notEqual(await images.build(web), first);
  const built = await readFile(join(workspace, 'web', 'dist', 'server.js.map'), 'utf8');
  assert.equal(built, await readFile(join(first, 'dist', 'server.js.map'), 'utf8'), 'a debugger finds the map here');
});

test('where Node cannot compile, the packed build is taken, else the reason is told', async t => {
  const directory = temporaryDirectory(run => t.after(run));
  const workspace = join(directory, 'workspace');
  await cp(sources, workspace, { recursive: true });
  const images = new Images(workspace, join(directory, 'images'), withoutCompiler);
  await assert.rejects(images.build(web), { code: 'demo-no-typescript' });
  await mkdir(join(workspace, 'web', 'dist'));
  await writeFile(join(workspace, 'web', 'dist', 'server.js'), '// packed');
  assert.equal(await readFile(join(await images.build(web), 'dist', 'server.js'), 'utf8'), '// packed');
});

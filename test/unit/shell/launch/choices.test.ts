import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { firstLaunches, nameOfFile, offeredLaunches, withoutDoubles } from '../../../../src/shell/launch/choices.ts';
import { findProjects } from '../../../../src/skaffold/project/roots.ts';
import { at, memory, named, shop } from '../../skaffold/project/samples.ts';

const folder = { name: 'shop', path: at() };
const say = (text: string, ...args: string[]) => args.reduce((done, arg, i) => done.replace(`{${i}}`, arg), text);

test('offered: each file, and each module and profile of one that is started', async () => {
  const files = {
    ...shop,
    'tools/skaffold.yml': named('tools', 'profiles: [{ name: ci }]\n'),
    'bad/skaffold.yaml': '- 1\n',
  };
  const found = await findProjects(
    Object.keys(files).map(file => at(file)),
    memory(files),
  );
  const offered = offeredLaunches(found, folder, say);
  assert.deepEqual(
    offered.map(({ name }) => name),
    [
      'Skaffold: shop',
      'Skaffold: shop (module base)',
      'Skaffold: shop (module cart)',
      'Skaffold: shop (module payments)',
      'Skaffold: shop (profile dev)',
      'Skaffold: shop (profile gcb)',
      'Skaffold: shop (profile local)',
      'Skaffold: shop (profile audit)',
      'Skaffold: bad',
      'Skaffold: tools',
      'Skaffold: tools (profile ci)',
      'Skaffold: base',
      'Skaffold: cart',
      'Skaffold: payments',
    ],
  );
  assert.deepEqual(offered[2], {
    type: 'breakpod',
    request: 'launch',
    name: 'Skaffold: shop (module cart)',
    skaffoldFile: '${workspaceFolder}/skaffold.yaml',
    modules: ['cart'],
  });
  assert.deepEqual(offered[10]?.profiles, ['ci']);
  assert.equal(offered[10].skaffoldFile, '${workspaceFolder}/tools/skaffold.yml');
});

test('a new launch.json begins with the files that are started, or with one that is to be written', async () => {
  const found = await findProjects(
    Object.keys(shop).map(file => at(file)),
    memory(shop),
  );
  assert.deepEqual(firstLaunches(found, folder, say), firstLaunches([], folder, say));
  assert.deepEqual(firstLaunches([], folder, say), [
    { type: 'breakpod', request: 'launch', name: 'Skaffold: shop', skaffoldFile: '${workspaceFolder}/skaffold.yaml' },
  ]);
});

test('a file is called by its folder', () => {
  assert.equal(nameOfFile(at('skaffold.yaml'), folder), 'shop');
  assert.equal(nameOfFile(at('a', 'b', 'skaffold.yaml'), folder), 'a/b');
});

test('of two spellings in one folder the one counts that Skaffold takes', () => {
  const files = [at('a', 'skaffold.yml'), at('a', 'skaffold.yaml'), at('b', 'skaffold.yml'), at('b', 'skaffold.yml')];
  assert.deepEqual(
    withoutDoubles(files).map(file => path.relative(at(), file)),
    [path.join('a', 'skaffold.yaml'), path.join('b', 'skaffold.yml')],
  );
});

import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { rawText } from '../../../../src/core/errors.ts';
import { readProject } from '../../../../src/skaffold/project/project.ts';
import { findProjects } from '../../../../src/skaffold/project/roots.ts';
import { at, broken, memory, named, shop, versions } from './samples.ts';

const root = at('skaffold.yaml');

const artifactsOf = ({ modules }: Awaited<ReturnType<typeof readProject>>) =>
  modules.flatMap(({ artifacts }) =>
    artifacts.map(({ image, context, builder }) => `${image} ${path.relative(at(), context) || '.'} ${builder}`),
  );

test('a project of many files: modules in the order of their needs, profiles of all, what is remote by its name', async () => {
  const project = await readProject(root, memory(shop));
  assert.deepEqual(project.problems, []);
  assert.deepEqual(
    project.modules.map(({ name, file }) => [name, path.relative(at(), path.dirname(file))]),
    [
      ['base', 'base'],
      ['cart', 'cart'],
      ['payments', 'payments'],
      [undefined, ''],
    ],
  );
  assert.deepEqual(project.profiles, ['dev', 'gcb', 'local', 'audit'], 'also of a module that is not taken in');
  assert.deepEqual(project.remotes, ['https://git.example/platform.git']);
  assert.deepEqual(artifactsOf(project), [
    'base base custom',
    'registry.example/cart cart jib',
    'payments payments/app docker',
    'ko://example.com/payments/cmd/worker payments ko',
  ]);
  assert.deepEqual(
    project.modules.filter(({ needsNoCluster }) => needsNoCluster).map(({ name }) => name),
    ['payments'],
  );
});

for (const { name, text, want } of versions)
  test(`versions: ${name}`, async () => {
    const project = await readProject(root, memory({ 'skaffold.yaml': text }));
    assert.deepEqual(project.problems, []);
    assert.deepEqual(artifactsOf(project), want);
  });

for (const { name, text, line, column, what } of broken)
  test(`a file that Skaffold refuses: ${name}`, async () => {
    const { problems } = await readProject(root, memory({ 'skaffold.yaml': text }));
    assert.equal(problems.length, 1);
    const [{ code, message, remedy }] = problems as [(typeof problems)[0]];
    assert.equal(code, 'skaffold-file-broken');
    assert.ok(message.startsWith(`${root}, line ${line}, column ${column}: `), message);
    assert.match(message, what);
    assert.match(remedy!, /Correct the file/);
    assert.doesNotMatch(message, /\n/);
  });

test('a document that is wrong hides no other', async () => {
  const text = [named('one'), named('two', 'profiles: {}\n'), '- three\n', named('four')].join('---\n');
  const { modules, problems } = await readProject(root, memory({ 'skaffold.yaml': text }));
  assert.deepEqual(
    modules.map(({ name }) => name),
    ['one', 'two', 'four'],
  );
  assert.equal(problems.length, 2);
});

test('what is required and absent, broken, or unreadable is said with who requires it; the rest is read', async () => {
  const files = {
    'skaffold.yaml': named('top', 'requires: [{ path: gone }, { path: bad }, { path: good }, { path: folder }]\n'),
    'bad/skaffold.yaml': 'a: "\n',
    'good/skaffold.yml': named('good'),
    'folder/readme': '',
  };
  const { modules, problems } = await readProject(root, memory(files));
  assert.deepEqual(
    modules.map(({ name }) => name),
    ['good', 'top'],
  );
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['skaffold-file-missing', 'skaffold-file-broken', 'skaffold-file-missing'],
  );
  assert.ok(problems[0]!.message.includes(at('gone')) && problems[0]!.remedy!.includes(root));
  assert.ok(problems[2]!.message.includes(at('folder', 'skaffold.yaml')));
  const denied = await readProject(root, () =>
    Promise.reject(Object.assign(new Error('EACCES: no'), { code: 'EACCES' })),
  );
  assert.deepEqual(
    denied.problems.map(({ code, cause }) => [code, rawText(cause)]),
    [['skaffold-file-unreadable', 'EACCES: no']],
  );
});

test('the root itself is absent', async () => {
  const { problems, modules } = await readProject(root, memory({}));
  assert.deepEqual(modules, []);
  assert.equal(problems[0]!.message, `There is no file ${root}.`);
  assert.match(problems[0]!.remedy!, /skaffoldFile/);
});

test('files that require each other and themselves are read once', async () => {
  const files = {
    'skaffold.yaml': `${named('a', 'requires: [{ path: b }, { configs: [c] }]\n')}---\n${named('c')}`,
    'b/skaffold.yaml': named('b', 'requires: [{ path: ../ }, { path: . }]\n'),
  };
  const { modules, problems } = await readProject(root, memory(files));
  assert.deepEqual(problems, []);
  assert.deepEqual(
    modules.map(({ name }) => name),
    ['c', 'b', 'a'],
  );
});

test('a link that leads back to its own folder comes to an end', async () => {
  const again = named('again', 'requires: [{ path: link }, { path: other }]\n');
  const read = async (file: string) => {
    if (file.endsWith('skaffold.yaml')) return again;
    throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  };
  const { problems, files } = await readProject(root, read);
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['skaffold-files-many'],
  );
  assert.equal(files.length, 300);
});

test('a file of five megabytes is not parsed, and that is said', async () => {
  const text = named('x', 'build:\n  artifacts:\n') + '    - image: app\n'.repeat(320_000);
  const { problems, modules } = await readProject(root, memory({ 'skaffold.yaml': text }));
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['skaffold-file-large'],
  );
  assert.deepEqual(modules, []);
});

test('aliases of aliases do not fill the memory', async () => {
  const lines = Array.from({ length: 30 }, (_, i) => `.a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`);
  const { problems } = await readProject(
    root,
    memory({ 'skaffold.yaml': named('x', `.a0: &a0 [1]\n${lines.join('\n')}\n`) }),
  );
  assert.match(problems[0]!.message, /alias/);
});

test('of the files of a workspace, those that no other requires come first, and nearer ones before deeper ones', async () => {
  const files = { ...shop, 'tools/db/skaffold.yaml': named('db'), 'tools/skaffold.yaml': 'a: "\n' };
  const found = await findProjects(
    Object.keys(files)
      .map(file => at(file))
      .toReversed(),
    memory(files),
  );
  assert.deepEqual(
    found.map(({ project, isRoot }) => `${path.relative(at(), project.file)}${isRoot ? '' : ' (required)'}`),
    [
      'skaffold.yaml',
      'tools/skaffold.yaml',
      'tools/db/skaffold.yaml',
      'base/skaffold.yaml (required)',
      'cart/skaffold.yaml (required)',
      'payments/skaffold.yaml (required)',
    ].map(line => path.normalize(line)),
  );
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { inspectBundle } from '../../../.ci/build.ts';
import { contentProblems } from '../../../.ci/package.ts';

const MOST_KB = 145;

/** The packages that a bundle has code of. */
const packagesIn = (inputs: Readonly<Record<string, unknown>>): string[] => [
  ...new Set(
    Object.keys(inputs)
      .map(file => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1])
      .filter(name => name !== undefined),
  ),
];

test('what activation loads is small and has no third-party code', async () => {
  const { inputs, outputs } = await inspectBundle('extension');
  assert.deepEqual(packagesIn(inputs), []);
  const bytes = Object.entries(outputs).find(([file]) => file.endsWith('extension.cjs'))![1].bytes;
  assert.ok(bytes < MOST_KB * 1024, `${bytes} bytes`);
  const sources = Object.keys(inputs).filter(file => file.startsWith('src/'));
  assert.deepEqual(sources.filter(isLoadedLater), [], 'it is loaded when it is needed');
});

/** Words that the shell needs before the part that they belong to. */
const atOnce = ['src/session/words.ts', 'src/skaffold/sourceName.ts'];

const isLoadedLater = (file: string): boolean =>
  /^src\/(?:cluster|service|session|skaffold|debuggers\/(?:readiness|paths)|lib\/spdy|shell\/commands)[./]/.test(
    file,
  ) && !atOnce.includes(file);

for (const bundle of ['cluster', 'commands', 'debuggers', 'service', 'session', 'skaffold'] as const)
  test(`no library is in the bundle of ${bundle}`, async () =>
    assert.deepEqual(packagesIn((await inspectBundle(bundle)).inputs), []));

test('the API of VS Code is taken over once, not for each file', async () => {
  const { outputs } = await inspectBundle('extension');
  const calls = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ path }) => path === 'vscode'));
  assert.equal(calls.length, 1);
});

const apart = [
  { bundle: 'libraries', packages: ['@kubernetes/client-node', 'ws', 'yaml'] },
  { bundle: 'grpc', packages: ['@bufbuild/protobuf', '@grpc/grpc-js'] },
  { bundle: 'yaml', packages: ['yaml'] },
  { bundle: 'debugadapter', packages: ['@vscode/debugadapter'] },
] as const;
for (const { bundle, packages } of apart)
  test(`${packages.join(', ')} are in a bundle of their own`, async () => {
    const names = packagesIn((await inspectBundle(bundle)).inputs);
    assert.deepEqual(
      packages.filter(name => !names.includes(name)),
      [],
    );
  });

test('what runs beside Skaffold has no third-party code', async () =>
  assert.deepEqual(packagesIn((await inspectBundle('guard')).inputs), []));

const complete = ['package.json', 'README.md', 'LICENSE', 'out/extension.cjs', 'media/icon.png'];
const contents = [
  { name: 'what is needed', files: complete, problems: [] },
  {
    name: 'a source',
    files: [...complete, 'src/extension.ts'],
    problems: ['src/extension.ts does not belong in the VSIX'],
  },
  {
    name: 'a source map',
    files: [...complete, 'out/extension.cjs.map'],
    problems: ['out/extension.cjs.map does not belong in the VSIX'],
  },
  { name: 'no icon', files: complete.slice(0, -1), problems: ['media/icon.png is missing in the VSIX'] },
];
for (const { name, files, problems } of contents)
  test(`contents of the VSIX: ${name}`, () => assert.deepEqual(contentProblems(files), problems));

import assert from 'node:assert/strict';
import test from 'node:test';
import type { PathMap, Ready, WorkspaceFiles } from '../../../src/core/contracts.ts';
import type { Container, Detection } from '../../../src/core/model.ts';
import { sourcePaths } from '../../../src/debuggers/sourcePaths.ts';
import { container } from '../../support/containers.ts';
import { workspace } from '../../support/memoryFiles.ts';

const web = (detection: Partial<Detection>, more: Partial<Omit<Container, 'detection'>> = {}) =>
  container({ image: 'img:1', ...more, detection });

interface Case {
  readonly name: string;
  readonly files: WorkspaceFiles;
  readonly container: Container;
  readonly ready?: Ready;
  readonly want: Omit<PathMap, 'sources'>;
  readonly says?: RegExp;
}

const monorepo = [
  'package.json',
  'services/web/package.json',
  'services/web/server.js',
  'services/admin-web/package.json',
  'services/admin-web/server.js',
];

const cases: Case[] = [
  {
    name: 'script: the longest common end',
    files: workspace(['package.json', 'src/server.js', 'server.js']),
    container: web({}),
    ready: { script: '/app/src/server.js' },
    want: { local: '/ws', remote: '/app' },
    says: /\/app\/src\/server\.js in the container is \/ws\/src\/server\.js here/,
  },
  {
    name: 'script: the project with the name of the artifact before a longer end elsewhere',
    files: workspace([...monorepo, 'app/server.js']),
    container: web({ artifact: 'registry/team/web:v1@sha256:00' }),
    ready: { script: '/app/server.js' },
    want: { local: '/ws/services/web', remote: '/app' },
  },
  {
    name: 'script: a name is compared whole (H25)',
    files: workspace(monorepo),
    container: web({ artifact: 'admin-web' }, { container: 'c', workload: { kind: 'Deployment', name: 'd' } }),
    ready: { script: '/app/server.js' },
    want: { local: '/ws/services/admin-web', remote: '/app' },
  },
  {
    name: 'script: TypeScript that is compiled only in the image',
    files: workspace(['package.json', 'src/server.ts'], {
      'tsconfig.json': '{ // compiled for the image\n "compilerOptions": { "outDir": "./dist/", "rootDir": "src" } }',
    }),
    container: web({ workingDir: '/somewhere' }),
    ready: { script: '/app/dist/server.js' },
    want: { local: '/ws', remote: '/app' },
    says: /\/ws\/src\/server\.ts here/,
  },
  {
    name: 'script: TypeScript without rootDir',
    files: workspace(['package.json', 'src/a/server.mts'], {
      'tsconfig.json': '{"compilerOptions":{"outDir":"dist"}}',
    }),
    container: web({}),
    ready: { script: '/srv/app/dist/a/server.mjs' },
    want: { local: '/ws', remote: '/srv/app' },
  },
  {
    name: 'script: a package of a repository is widened to the repository',
    files: workspace(['package.json', 'packages/web/package.json', 'packages/web/main.js']),
    container: web({}),
    ready: { script: '/app/packages/web/main.js' },
    want: { local: '/ws', remote: '/app' },
  },
  {
    name: 'script: never the root of the file system',
    files: workspace(['app/package.json', 'app/main.js']),
    container: web({}),
    ready: { script: '/app/main.js' },
    want: { local: '/ws/app', remote: '/app' },
  },
  {
    name: 'script: several places are told',
    files: workspace(['a/package.json', 'a/main.js', 'b/package.json', 'b/main.js']),
    container: web({}),
    ready: { script: '/app/main.js' },
    want: { local: '/ws/a', remote: '/app' },
    says: /Not certain: it could as well be in \/ws\/b/,
  },
  {
    name: 'script: not found here, so the working directory counts',
    files: workspace(['web/package.json', 'other/package.json']),
    container: web({ workingDir: '/srv' }),
    ready: { script: '/srv/bundle.js' },
    want: { local: '/ws/web', remote: '/srv' },
    says: /has the name of the container/,
  },
  {
    name: 'script: nothing else known, so where the script is',
    files: workspace(['package.json']),
    container: web({}),
    ready: { script: '/srv/dist/bundle.js' },
    want: { local: '/ws', remote: '/srv' },
    says: /Not certain: \/srv is where the script/,
  },
  {
    name: 'names: workload',
    files: workspace(['services/orders/pyproject.toml', 'services/mail/pyproject.toml']),
    container: web(
      { runtime: 'python', workingDir: '/app' },
      { container: 'main', workload: { kind: 'Deployment', name: 'orders' } },
    ),
    want: { local: '/ws/services/orders', remote: '/app' },
    says: /has the name of the deployment/,
  },
  {
    name: 'names: image',
    files: workspace(['orders/go.mod', 'mail/go.mod']),
    container: web({ runtime: 'go', workingDir: '/src' }, { container: 'c', image: 'registry:5000/x/mail@sha256:00' }),
    want: { local: '/ws/mail', remote: '/src' },
    says: /directory of its build/,
  },
  {
    name: 'names: two projects of one name are told',
    files: workspace(['a/web/go.mod', 'b/web/go.mod']),
    container: web({ runtime: 'go', workingDir: '/src' }),
    want: { local: '/ws/a/web', remote: '/src' },
    says: /Not certain: \/ws\/a\/web has the name of the container, and so has \/ws\/b\/web/,
  },
  {
    name: 'Go: a module with its main package at the top',
    files: workspace([], {
      'web/go.mod': 'module "shop.example/web" // here',
      'web/main.go': '// Sells.\npackage main',
    }),
    container: web({ runtime: 'go', workingDir: '/src' }),
    want: { local: '/ws/web', module: { path: 'shop.example/web', main: 'shop.example/web' } },
    says: /Go module shop\.example\/web, its main package is shop\.example\/web;/,
  },
  {
    name: 'Go: of several commands of a module the one with the name of the container',
    files: workspace([], {
      'go.mod': 'module shop',
      'shop.go': 'package shop',
      'shop_test.go': 'package main',
      'cmd/api/api.go': 'package main',
      'cmd/web/web.go': 'package main',
    }),
    container: web({ runtime: 'go' }),
    want: { local: '/ws', module: { path: 'shop', main: 'shop/cmd/web' } },
  },
  {
    name: 'Go: several commands and no name',
    files: workspace([], { 'go.mod': 'module shop', 'cmd/a/a.go': 'package main', 'cmd/b/b.go': 'package main' }),
    container: web({ runtime: 'go' }),
    want: { local: '/ws', module: { path: 'shop' } },
  },
  {
    name: 'Go: a module with a name that VS Code would replace',
    files: workspace([], { 'go.mod': 'module ${command:x}', 'main.go': 'package main' }),
    container: web({ runtime: 'go' }),
    want: { local: '/ws' },
  },
  {
    name: 'no file marks a project: the topmost directory with sources that has a name of the container',
    files: workspace(['services/web/server.py', 'services/web/web/part.py', 'services/mail/server.py']),
    container: web({ runtime: 'python', workingDir: '/app' }),
    want: { local: '/ws/services/web', remote: '/app' },
    says: /has the name of the container/,
  },
  {
    name: 'no file marks a project: the only directory with sources',
    files: workspace(['services/orders/Server.java', 'README.md']),
    container: web({ runtime: 'jvm' }),
    want: { local: '/ws/services/orders' },
    says: /only project with a Server\.java/,
  },
  {
    name: 'a marked project counts more than a directory with sources that has the name',
    files: workspace(['shop/pyproject.toml', 'shop/web/part.py']),
    container: web({ runtime: 'python', workingDir: '/app' }),
    want: { local: '/ws/shop', remote: '/app' },
  },
  {
    name: 'the only project',
    files: workspace(['deep/er/pyproject.toml', 'x/package.json']),
    container: web({ runtime: 'python', workingDir: '/app' }),
    want: { local: '/ws/deep/er', remote: '/app' },
    says: /the only project with a pyproject\.toml/,
  },
  {
    name: 'several projects and no name: the folder, and that is said',
    files: workspace(['a/pyproject.toml', 'b/pyproject.toml']),
    container: web({ runtime: 'python', workingDir: '/app' }),
    want: { local: '/ws', remote: '/app' },
    says: /Not certain: none of the 2 projects/,
  },
  {
    name: 'no project: the folder, and that is said',
    files: workspace(['README.md']),
    container: web({ runtime: 'python', workingDir: '/app' }),
    want: { local: '/ws', remote: '/app' },
    says: /Not certain: no project/,
  },
  {
    name: 'projects in dependencies do not count',
    files: workspace(['web/package.json', 'web/node_modules/x/package.json', '.git/y/package.json']),
    container: web({ workingDir: '/app' }, { container: 'c', workload: { kind: 'Job', name: 'j' } }),
    want: { local: '/ws/web', remote: '/app' },
  },
  {
    name: 'the last WORKDIR of the Dockerfile',
    files: workspace(['requirements.txt'], {
      Dockerfile: 'FROM x AS b\nWORKDIR /build\nFROM y\nworkdir /srv\nWORKDIR app\n',
    }),
    container: web({ runtime: 'python' }),
    want: { local: '/ws', remote: '/srv/app' },
    says: /last WORKDIR in \/ws\/Dockerfile/,
  },
  {
    name: 'a WORKDIR that only the base image knows',
    files: workspace(['requirements.txt'], { Dockerfile: 'FROM y\nWORKDIR /srv/app\nWORKDIR $HOME\n' }),
    container: web({ runtime: 'python' }),
    want: { local: '/ws' },
    says: /is not known/,
  },
  {
    name: 'the directory in the container is not known',
    files: workspace(['requirements.txt']),
    container: web({ runtime: 'python' }),
    want: { local: '/ws' },
    says: /is not known/,
  },
  {
    name: 'java: the source directory of the project',
    files: workspace(['api/pom.xml', 'api/src/main/java/shop/App.java', 'web/pom.xml']),
    container: web({ runtime: 'jvm', artifact: 'api', workingDir: '/srv' }),
    want: { local: '/ws/api/src/main/java' },
    says: /name of the artifact/,
  },
  {
    name: 'java: a project of its own shape',
    files: workspace(['build.gradle.kts', 'App.java']),
    container: web({ runtime: 'jvm' }),
    want: { local: '/ws' },
  },
  {
    name: 'no folder',
    files: workspace([], {}, []),
    container: web({ workingDir: '/app' }),
    want: {},
    says: /No folder is open/,
  },
  {
    name: 'the folder of the project among several (H49)',
    files: workspace(['/one/package.json', '/two/web/package.json'], {}, ['/one', '/two']),
    container: web({ workingDir: '/app' }),
    want: { local: '/two/web', remote: '/app' },
  },
  {
    name: 'a working directory that VS Code would fill in is refused (H50)',
    files: workspace(['package.json']),
    container: web({ workingDir: '/${command:x}' }),
    want: { local: '/ws' },
    says: /not used/,
  },
  {
    name: 'a relative working directory is refused',
    files: workspace(['package.json']),
    container: web({ workingDir: 'app' }),
    want: { local: '/ws' },
    says: /not used/,
  },
  {
    name: 'a script cannot lead out of the folder',
    files: workspace(['package.json', '/etc/passwd']),
    container: web({ workingDir: '/app' }),
    ready: { script: '/app/../../../etc/passwd' },
    want: { local: '/ws', remote: '/app' },
  },
  {
    name: 'a script with a variable in its path',
    files: workspace(['package.json', 'main.js']),
    container: web({}),
    ready: { script: '/${env:HOME}/main.js' },
    want: { local: '/ws' },
  },
];

for (const { name, files, container: of, ready = {}, want, says } of cases)
  test(`paths: ${name}`, async () => {
    const { sources, ...paths } = await sourcePaths(files).mapFor(of, ready);
    assert.deepEqual(paths, want, sources.join(' '));
    assert.ok(sources.length > 0);
    assert.doesNotMatch(sources.join(), /undefined/);
    if (says) assert.match(sources.join(' '), says);
  });

test('paths: a workspace of many directories is looked through within bounds', async () => {
  const paths = Array.from({ length: 5000 }, (_, i) => `d${i}/x/y.txt`);
  let lists = 0;
  const files = workspace(paths);
  const counted = { ...files, list: (dir: string) => (lists++, dir === '/ws' ? files.list(dir) : Promise.resolve([])) };
  await sourcePaths(counted).mapFor(web({ workingDir: '/app' }), {});
  assert.ok(lists <= 1500, String(lists));
});

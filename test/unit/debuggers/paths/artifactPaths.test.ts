import { built, type PathCase, skaffold, testPaths } from './pathCase.ts';
import { workspace } from '../../../support/memoryFiles.ts';

const copyAll = 'FROM node:20\nWORKDIR /srv/app\nCOPY package.json ./\nRUN npm ci\nCOPY . .\n';

const cases: PathCase[] = [
  {
    name: 'the context of the artifact, and where its Dockerfile puts it',
    files: workspace(['services/x/package.json', 'web/package.json'], {
      'skaffold.yaml': skaffold('    - image: web\n      context: services/x'),
      'services/x/Dockerfile': copyAll,
    }),
    container: built({ artifact: 'web' }),
    want: { local: '/ws/services/x', remote: '/srv/app' },
    says: /artifact web of \/ws\/skaffold\.yaml, built by docker from \/ws\/services\/x.*Dockerfile puts \/ws\/services\/x at \/srv\/app/,
  },
  {
    name: 'an artifact by the image alone; the longer name counts, and no end of a name does (H25)',
    files: workspace(['a/app.py', 'b/app.py', 'c/app.py'], {
      'skaffold.yaml': skaffold(
        '    - image: web\n      context: a\n    - image: shop/web\n      context: b\n    - image: admin-web\n      context: c',
      ),
    }),
    container: built({ runtime: 'python', workingDir: '/app' }),
    want: { local: '/ws/b', remote: '/app' },
  },
  {
    name: 'a name that Skaffold has changed for another registry',
    files: workspace(['a/app.py'], {
      'skaffold.yaml': skaffold('    - image: example.com/shop/web\n      context: a'),
    }),
    container: built(
      { runtime: 'python', workingDir: '/app' },
      { image: 'localhost:5000/example_com_shop_web:t@sha256:00' },
    ),
    want: { local: '/ws/a', remote: '/app' },
  },
  {
    name: 'a module that another file requires',
    files: workspace(['cart/src/app.py'], {
      'skaffold.yaml': skaffold('    - image: top', 'requires: [{ path: ./cart }]'),
      'cart/skaffold.yaml': skaffold('    - image: cart'),
      'cart/Dockerfile': 'FROM python:3.12\nWORKDIR /app\nCOPY src/ .\n',
    }),
    container: built({ runtime: 'python', artifact: 'cart' }),
    want: { local: '/ws/cart/src', remote: '/app' },
  },
  {
    name: 'an artifact that only a profile builds',
    files: workspace(['dev/app.py'], {
      'skaffold.yaml': skaffold(
        '    - image: other',
        'profiles:\n  - name: dev\n    build: { artifacts: [{ image: web, context: dev }] }',
      ),
    }),
    container: built({ runtime: 'python', artifact: 'web', workingDir: '/app' }),
    want: { local: '/ws/dev', remote: '/app' },
    says: /skaffold\.yaml, profile dev/,
  },
  {
    name: 'two files that build it from different folders: it is said which is taken',
    files: workspace(['a/app.py', 'b/app.py'], {
      'a/skaffold.yaml': skaffold('    - image: web'),
      'b/skaffold.yaml': skaffold('    - image: web'),
    }),
    container: built({ runtime: 'python', artifact: 'web', workingDir: '/app' }),
    want: { local: '/ws/a', remote: '/app' },
    says: /Not certain: it could as well be built from \/ws\/b by Dockerfile as \/ws\/b\/skaffold\.yaml says; the first is taken/,
  },
  {
    name: 'a running Skaffold decides between them',
    files: workspace(['a/app.py', 'b/app.py'], {
      'a/skaffold.yaml': skaffold('    - image: web'),
      'b/skaffold.yaml': skaffold('    - image: web\n      docker: { dockerfile: dev.Dockerfile }'),
      'b/dev.Dockerfile': 'FROM x\nWORKDIR /dev\nCOPY . .\n',
    }),
    container: built({ runtime: 'python', artifact: 'web' }),
    run: {
      about: { port: 1, origin: 'found', name: 'b', folder: '/ws/b' },
      artifacts: [{ name: 'web', builder: 'DOCKER', context: '.' }],
    },
    want: { local: '/ws/b', remote: '/dev' },
  },
  {
    name: 'a running Skaffold alone, of a folder that is not open',
    files: workspace(['/other/web/app.py'], { '/other/web/Dockerfile': 'FROM x\nWORKDIR /app\nCOPY . .\n' }, []),
    container: built({ runtime: 'python', artifact: 'web' }),
    run: { artifacts: [{ name: 'web', builder: 'DOCKER', context: '/other/web' }] },
    want: { local: '/other/web', remote: '/app' },
    says: /of the running Skaffold/,
  },
  {
    name: 'the skaffold.yaml is above the folder that is open',
    files: workspace(
      ['/repo/web/app.py'],
      { '/repo/skaffold.yaml': skaffold('    - image: web\n      context: web') },
      ['/repo/web'],
    ),
    container: built({ runtime: 'python', artifact: 'web', workingDir: '/app' }),
    want: { local: '/repo/web', remote: '/app' },
    says: /of \/repo\/skaffold\.yaml/,
  },
  {
    name: 'a context that is not on this disk',
    files: workspace(['web/app.py'], { 'skaffold.yaml': skaffold('    - image: web\n      context: gone') }),
    container: built({ runtime: 'python', artifact: 'web', workingDir: '/app' }),
    want: { local: '/ws/web', remote: '/app' },
    says: /name of the artifact/,
  },
  {
    name: 'one context for all, a Dockerfile in each part',
    files: workspace(['package.json', 'services/web/package.json', 'lib/x.js'], {
      'skaffold.yaml': skaffold('    - image: web\n      docker: { dockerfile: services/web/Dockerfile }'),
      'services/web/Dockerfile': 'FROM node\nWORKDIR /app\nCOPY services/web ./\nCOPY lib /lib/shop\n',
    }),
    container: built({ artifact: 'web' }),
    ready: { script: '/app/server.js' },
    want: {
      local: '/ws/services/web',
      remote: '/app',
      more: [{ local: '/ws/lib', remote: '/lib/shop' }],
    },
  },
  {
    name: 'TypeScript that another stage compiles; the script decides',
    files: workspace(['web/src/server.ts', 'web/package.json'], {
      'skaffold.yaml': skaffold('    - image: web\n      context: web'),
      'web/tsconfig.base.json':
        '{ "compilerOptions": { "outDir": "./dist", /* for all */ "inlineSourceMap": true, }, }',
      'web/tsconfig.json': '{ "extends": "./tsconfig.base.json", "compilerOptions": { "rootDir": "src" } }',
      'web/Dockerfile':
        'FROM node AS build\nWORKDIR /b\nCOPY . .\nRUN npx tsc\nFROM node\nWORKDIR /app\nCOPY --from=build /b/dist ./dist\n',
    }),
    container: built({ artifact: 'web' }),
    ready: { script: '/app/dist/server.js' },
    want: { local: '/ws/web', remote: '/app' },
    says: /\/app\/dist\/server\.js in the container is \/ws\/web\/src\/server\.ts here/,
  },
  {
    name: 'TypeScript without source maps is said',
    files: workspace(['src/server.ts', 'package.json'], {
      'tsconfig.json': '{ "compilerOptions": { "outDir": "dist" } }',
    }),
    container: built({}),
    ready: { script: '/app/dist/server.js' },
    want: { local: '/ws', remote: '/app' },
    says: /makes no source maps/,
  },
  {
    name: 'what is put into the container is built, and not here',
    files: workspace(['src/server.ts', 'package.json'], {
      'skaffold.yaml': skaffold('    - image: web'),
      Dockerfile: 'FROM node\nWORKDIR /app\nCOPY dist .\n',
    }),
    container: built({ artifact: 'web' }),
    ready: { script: '/app/server.js' },
    want: { local: '/ws', remote: '/app' },
    says: /puts \/ws\/dist at \/app, and it is not on this disk: build it here/,
  },
  {
    name: 'a Dockerfile that is not that of the image',
    files: workspace(['app.py'], { 'skaffold.yaml': skaffold('    - image: web'), Dockerfile: copyAll }),
    container: built({ runtime: 'python', artifact: 'web', workingDir: '/home/app' }),
    want: { local: '/ws', remote: '/home/app' },
    says: /does not fit: its WORKDIR is \/srv\/app, and that of the image \/home\/app/,
  },
  {
    name: 'a working directory of the pod alone says nothing of the Dockerfile',
    files: workspace(['app.py'], { 'skaffold.yaml': skaffold('    - image: web'), Dockerfile: copyAll }),
    container: built({ runtime: 'python', artifact: 'web', workingDir: '/tmp', evidence: 'flags' }),
    want: { local: '/ws', remote: '/srv/app' },
  },
  {
    name: 'Python: the package roots that the image has in several places',
    files: workspace(['app/main.py', 'common/src/shop/util.py', 'requirements.txt'], {
      'skaffold.yaml': skaffold('    - image: web'),
      Dockerfile:
        'FROM python\nWORKDIR /srv\nCOPY requirements.txt /tmp/\nCOPY app ./app\nCOPY common/src /opt/lib\nENV PYTHONPATH=/opt/lib\n',
    }),
    container: built({ runtime: 'python', artifact: 'web', workingDir: '/srv' }),
    want: { local: '/ws', remote: '/srv', more: [{ local: '/ws/common/src', remote: '/opt/lib' }] },
  },
  {
    name: 'a target and build arguments',
    files: workspace(['app.py'], {
      'skaffold.yaml': skaffold('    - image: web\n      docker: { target: dev, buildArgs: { HOME_DIR: /dev-app } }'),
      Dockerfile:
        'ARG HOME_DIR=/app\nFROM x AS dev\nARG HOME_DIR\nWORKDIR $HOME_DIR\nCOPY . .\nFROM x\nWORKDIR /prod\n',
    }),
    container: built({ runtime: 'python', artifact: 'web' }),
    want: { local: '/ws', remote: '/dev-app' },
  },
  {
    name: 'buildpacks put the program at a place of their own',
    files: workspace(['app.py'], { 'skaffold.yaml': skaffold('    - image: web\n      buildpacks: { builder: b }') }),
    container: built({ runtime: 'python', artifact: 'web' }),
    want: { local: '/ws', remote: '/workspace' },
    says: /where buildpacks put/,
  },
  {
    name: 'a custom builder mostly uses the Dockerfile that lies there',
    files: workspace(['app.py'], {
      'skaffold.yaml': skaffold('    - image: web\n      custom: { buildCommand: ./build.sh }'),
      Dockerfile: copyAll,
    }),
    container: built({ runtime: 'python', artifact: 'web' }),
    want: { local: '/ws', remote: '/srv/app' },
  },
];

for (const one of cases) void testPaths(one);

import assert from 'node:assert/strict';
import test from 'node:test';
import { launcherOf, pathOf } from '../../../src/debuggers/readiness/launchers.ts';

const scripts: [unknown, string | undefined][] = [
  ['file:///usr/local/lib/node_modules/npm/bin/npm-cli.js', 'npm'],
  ['file:///usr/local/bin/npm', 'npm'],
  ['file:///usr/local/lib/node_modules/npm/bin/npx-cli.js', 'npm'],
  ['file:///opt/yarn-v1.22.22/bin/yarn.js', 'yarn'],
  ['file:///app/.yarn/releases/yarn-4.1.0.cjs', 'yarn'],
  ['file:///usr/local/lib/node_modules/corepack/dist/pnpm.js', 'corepack'],
  ['file:///app/node_modules/nodemon/bin/nodemon.js', 'nodemon'],
  ['file:///app/node_modules/@nestjs/cli/bin/nest.js', '@nestjs/cli'],
  ['file:///app/node_modules/tsx/dist/cli.mjs', 'tsx'],
  ['file:///app/node_modules/cross-env/src/bin/cross-env.js', 'cross-env'],
  ['file:///app/node_modules/next/dist/bin/next', undefined], // the program runs in it
  ['file:///app/server.js', undefined],
  ['file:///app/node_modules/express-app/index.js', undefined],
  ['file:///srv/npm-mirror/server.js', undefined],
  ['file://', undefined],
  [undefined, undefined],
  [7, undefined],
];
for (const [url, want] of scripts) test(`launcher: ${String(url)}`, () => assert.equal(launcherOf(url), want));

const paths: [unknown, string | undefined][] = [
  ['file:///app/server.js', '/app/server.js'],
  ['file:///app/a%20b.js', '/app/a b.js'],
  ['file:///app/100%.js', '/app/100%.js'],
  ['/app/server.js', '/app/server.js'],
  ['file://', undefined],
  ['http://x/y.js', undefined],
  [null, undefined],
];
for (const [url, want] of paths) test(`script path: ${String(url)}`, () => assert.equal(pathOf(url), want));

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import test from 'node:test';
import { inRoot } from '../../../.ci/lib/paths.ts';

/** Stands for npm, since this is about the sum alone: writes what it is called with, and what such a run would have counted. */
const npm = (counts: Readonly<Record<string, string>>) => `#!/bin/sh
echo "npm $* with CI=$CI"
case "$*" in ${Object.entries(counts)
  .map(([command, steps]) => `"${command}") ${steps} ;;`)
  .join(' ')} esac
`;

const count = (passed: number, failed: number) =>
  `echo "${passed} ${failed}" >> "$BREAKPOD_COUNTS"; exit ${failed && 1}`;

const cases = [
  { name: 'all passed', test: count(40, 0), real: count(2, 0), closing: '42 passed, 0 failed', status: 0 },
  {
    name: 'a failure in the first run',
    test: count(39, 1),
    real: count(2, 0),
    closing: '41 passed, 1 failed',
    status: 1,
  },
  {
    name: 'a failure in the second run',
    test: count(40, 0),
    real: count(1, 1),
    closing: '41 passed, 1 failed',
    status: 1,
  },
  { name: 'a run that ended uncounted', test: 'exit 3', real: count(2, 0), closing: '2 passed, 1 failed', status: 1 },
  {
    name: 'an exit code against its count',
    test: count(40, 0).replace('exit 0', 'exit 4'),
    real: count(2, 0),
    closing: '42 passed, 0 failed',
    status: 1,
  },
];

for (const { name, test: first, real, closing, status } of cases)
  test(
    `CI runs both commands and closes with one line: ${name}`,
    { skip: process.platform === 'win32' && 'needs bash' },
    t => {
      const folder = mkdtempSync(join(tmpdir(), 'breakpod-test-'));
      t.after(() => rmSync(folder, { recursive: true }));
      mkdirSync(join(folder, '.ci'));
      copyFileSync(inRoot('.ci', 'run'), join(folder, '.ci', 'run'));
      writeFileSync(join(folder, 'npm'), npm({ test: first, 'run test:real': real }));
      chmodSync(join(folder, 'npm'), 0o755);
      const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}`, CI: '' };
      const done = spawnSync('bash', [join(folder, '.ci', 'run')], { encoding: 'utf8', env });
      assert.match(done.stdout, /^npm test with CI=true\nnpm run test:real with CI=true\n/);
      assert.equal(done.stdout.trimEnd().split('\n').at(-1), closing, done.stderr);
      assert.equal(done.status, status);
    },
  );

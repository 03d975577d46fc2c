import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { inRoot, root } from '../../../.ci/lib/paths.ts';

/** What only one machine, or one network, would understand. Put together, so that this file does not hold it. */
const forbidden = new RegExp(
  [
    ['["\'`( ]', '/(work|root)/'].join(''),
    ['/tmp/', '[\\w.-]+/'].join(''),
    ['registry', 'npmjs', 'org'].join('\\.'),
    ['(deb|security)', 'debian', 'org'].join('\\.'),
    ['repo1', 'maven'].join('\\.'),
    ['proxy', 'golang', 'org'].join('\\.'),
  ].join('|'),
);

const isText = (file: string): boolean => !/\.(png|gif|ndjson)$/.test(file);

test('no committed file names a path of one machine or the host of a registry', t => {
  let listed: string;
  try {
    listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  } catch {
    return t.skip('this is not a Git working copy');
  }
  const files = listed.split('\0').filter(file => file && isText(file) && !file.startsWith('test/fixtures/'));
  const found = files.flatMap(file => {
    const hit = forbidden.exec(textOf(file));
    return hit ? [`${file}: ${hit[0]}`] : [];
  });
  assert.deepEqual(found, []);
});

/** Empty for a file that is committed and, at this moment, deleted. */
function textOf(file: string): string {
  try {
    return readFileSync(inRoot(file), 'utf8');
  } catch {
    return '';
  }
}

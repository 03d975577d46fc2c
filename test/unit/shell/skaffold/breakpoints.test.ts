import assert from 'node:assert/strict';
import test from 'node:test';
import type { SkaffoldRun } from '../../../../src/core/skaffold.ts';
import { mayHit } from '../../../../src/shell/skaffold/breakpoints.ts';
import { container } from '../../../support/containers.ts';

const run: Pick<SkaffoldRun, 'about' | 'artifacts'> = {
  about: { port: 1, origin: 'launched', name: 'shop', folder: '/projects/shop' },
  artifacts: [
    { name: 'web', builder: 'docker', context: 'web' },
    { name: 'lib', builder: 'docker', context: '/elsewhere/lib' },
  ],
};

const cases = [
  { name: 'none is set', files: [], expected: false },
  { name: 'in its folder', files: ['/projects/shop/web/src/server.ts'], expected: true },
  { name: 'in a folder whose name only begins alike', files: ['/projects/shop/web2/server.ts'], expected: false },
  { name: 'in the folder of another artifact', files: ['/projects/shop/api/server.ts'], expected: false },
  { name: 'one of several', files: ['/projects/shop/api/a.go', '/projects/shop/web/a.js'], expected: true },
  { name: 'in another language', files: ['/projects/shop/web/main.go'], expected: false },
  { name: 'a context elsewhere', artifact: 'lib', files: ['/elsewhere/lib/a.ts'], expected: true },
  { name: 'an artifact that nobody has told of', artifact: 'new', files: ['/any/where.js'], expected: true },
  { name: 'no artifact', artifact: undefined, files: ['/any/where.js'], expected: true },
  { name: 'no run', run: undefined, files: ['/any/where.js'], expected: true },
  { name: 'a runtime that nobody knows', runtime: 'cobol', files: ['/projects/shop/web/pay.cob'], expected: true },
];

for (const { name, files, expected, ...given } of cases)
  test(`breakpoints that may be meant for a container: ${name}`, () => {
    const artifact = 'artifact' in given ? given.artifact : 'web';
    const detection = { runtime: given.runtime ?? 'nodejs', ...(artifact === undefined ? {} : { artifact }) };
    assert.equal(mayHit(container({ detection }), 'run' in given ? given.run : run, files), expected);
  });

import assert from 'node:assert/strict';
import test from 'node:test';
import { UserError } from '../../../src/core/errors.ts';
import { recipes } from '../../../src/debuggers/recipes.ts';
import { findingsOf } from '../../../src/shell/findings.ts';
import { container } from '../../support/containers.ts';

const missing = () => {
  throw new UserError('debugger-missing', 'It is not installed.', { cause: 'missing: x.y', remedy: 'Install it.' });
};

const cases = [
  {
    name: 'installed',
    check: () => undefined,
    want: { ok: true, detail: 'The JavaScript debugger is installed.', fix: null },
  },
  {
    name: 'missing',
    check: missing,
    want: { ok: false, detail: 'It is not installed. (missing: x.y)', fix: 'Install it.' },
  },
];

for (const { name, check, want } of cases)
  test(`findings: a debugger that is ${name}`, () =>
    assert.deepEqual(findingsOf(container(), recipes, { check }), { debugger: want }));

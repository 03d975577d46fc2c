import assert from 'node:assert/strict';
import test from 'node:test';
import { isProtected } from '../../../src/shell/protectedContexts.ts';

const cases: { context: string; patterns: string[]; want: boolean }[] = [
  { context: 'gke_shop_prod-eu', patterns: ['*prod*'], want: true },
  { context: 'PRODUCTION', patterns: ['*prod*'], want: true },
  { context: 'dev', patterns: ['*prod*'], want: false },
  { context: 'dev', patterns: [], want: false },
  { context: 'dev', patterns: ['prod', 'dev'], want: true },
  { context: 'dev-2', patterns: ['dev'], want: false },
  { context: 'a.b', patterns: ['a?b', 'a+b', '(a.b', 'a[.]b'], want: false },
  { context: 'axb', patterns: ['a.b'], want: false },
  { context: 'arn:aws:eks:eu:1:cluster/x', patterns: ['arn:aws:eks:*:cluster/x'], want: true },
  { context: 'two\nlines', patterns: ['two*'], want: true },
];

for (const { context, patterns, want } of cases)
  test(`isProtected: ${JSON.stringify(context)} by ${JSON.stringify(patterns)}`, () =>
    assert.equal(isProtected(context, patterns), want));

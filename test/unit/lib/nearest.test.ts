import assert from 'node:assert/strict';
import test from 'node:test';
import { nearest } from '../../../src/lib/nearest.ts';

const cases: readonly { name: string; among: readonly string[]; want: string | undefined }[] = [
  { name: 'dve', among: ['gcb', 'dev'], want: undefined },
  { name: 'deb', among: ['gcb', 'dev'], want: 'dev' },
  { name: 'DEV', among: ['gcb', 'dev'], want: 'dev' },
  { name: 'payment', among: ['payments', 'pavements'], want: 'payments' },
  { name: 'staging', among: ['stagign', 'production'], want: 'stagign' },
  { name: 'web', among: ['api', 'worker'], want: undefined },
  { name: '', among: ['a'], want: 'a' },
  { name: 'x', among: [], want: undefined },
];

for (const { name, among, want } of cases)
  test(`near "${name}" among ${among.join(', ') || 'none'}: ${want}`, () => assert.equal(nearest(name, among), want));

import assert from 'node:assert/strict';
import test from 'node:test';
import { type VersionVerdict, verdictOn } from '../../../../src/skaffold/preflight/version.ts';

const printed: readonly [string, VersionVerdict][] = [
  ['v1.12.0', 'no modes'],
  ['v1.12.1', 'no modes'],
  ['v1.11.9', 'too old'],
  ['v0.41.0', 'too old'],
  ['v1.21.9', 'no modes'],
  ['v1.22.0', 'new enough'],
  ['v2.0.0', 'new enough'],
  ['v2.24.0', 'new enough'],
  ['2.13.2', 'new enough'],
  ['v2.24.0-2-g359a940c1b', 'no release'],
  ['v2.24.0-2', 'no release'],
  ['v2.1.0-beta1', 'no release'],
  ['v1.9.0-3-g0123456-dirty', 'too old'],
  ['unknown', 'unreadable'],
  ['', 'unreadable'],
  ['main', 'unreadable'],
  ['359a940c1b', 'unreadable'],
  ['v2.24', 'unreadable'],
];

for (const [version, verdict] of printed)
  test(`version "${version}": ${verdict}`, () => assert.equal(verdictOn(version), verdict));

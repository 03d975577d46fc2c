import assert from 'node:assert/strict';
import test from 'node:test';
import { detect } from '../../src/cluster/detect/detect.ts';
import type { PodContainer } from '../../src/cluster/pods/pod.ts';

/** What a container's start says: runtime, port and verdict, and the reason where there is one. */
export interface Setup {
  readonly name: string;
  readonly container: PodContainer;
  readonly want: string;
  readonly reason?: RegExp;
}

export const env = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }));

/** One test per set-up; a container that can be debugged without more ado has no reason. */
export function checkSetups(setups: readonly Setup[]): void {
  for (const { name, container, want, reason } of setups)
    test(`set-up: ${name}`, () => {
      const web = { name: 'web', ...container };
      const seen = detect(web, { spec: { containers: [web] } });
      assert.equal(`${seen.runtime ?? '-'} ${seen.port ?? '-'} ${seen.verdict}`, want, JSON.stringify(seen));
      if (reason) assert.match(seen.reason ?? '', reason);
      else if (seen.verdict === 'live' || seen.verdict === 'suspended') assert.equal(seen.reason, undefined);
    });
}

import assert from 'node:assert/strict';
import test from 'node:test';
import type { Probe, ProbeKill, State } from '../../../src/core/model.ts';
import { empty } from '../../../src/core/reducer.ts';
import { Emitter } from '../../../src/lib/emitter.ts';
import { tellProbeKills } from '../../../src/shell/probeKills.ts';
import { container } from '../../support/containers.ts';

const probe: Probe = { kind: 'liveness', handler: 'exec', periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 };
const kill: ProbeKill = { run: 'run-1', name: 'web', probe, proof: 'asked' };
const { slot } = container();

test('a kill is told once, when it is known', () => {
  const changed = new Emitter<State>();
  const told: string[] = [];
  const telling = tellProbeKills({ onDidChange: changed.event }, ({ message }) => told.push(message));
  const become = (now: ProbeKill) => changed.fire({ ...empty, probeKills: new Map([[slot, now]]) });
  become(kill);
  assert.deepEqual(told, []);
  become({ ...kill, proof: 'found', words: 'Container web failed liveness probe, will be restarted' });
  become({ ...kill, proof: 'found' });
  assert.equal(told.length, 1);
  become({ ...kill, run: 'run-2', proof: 'missing' });
  assert.match(told[1]!, /most likely because its liveness probe/);
  telling.dispose();
  become({ ...kill, run: 'run-3', proof: 'missing' });
  assert.equal(told.length, 2);
});

import type { Failure } from '../errors.ts';
import type { Container, ProbeKill, State } from '../model.ts';
import { riskRemedy } from './probes.ts';

/** How the last run of a container was killed while it was paused, where that is known. */
export function probeKillOf({ probeKills }: Pick<State, 'probeKills'>, container: Container): ProbeKill | undefined {
  const kill = probeKills.get(container.slot);
  const run = container.phase.kind === 'terminated' ? container.containerId : container.last?.containerId;
  return kill && kill.proof !== 'asked' && kill.run === run ? kill : undefined;
}

/** The kill in a clause, for people. */
export function killText({ probe, proof, words }: ProbeKill): string {
  const how = `its last run was killed while it was paused in the debugger`;
  const by = `by its ${probe.kind} probe (${probe.handler})`;
  return proof === 'found' ? `${how}, ${by}; the kubelet says: ${words}` : `${how}, most likely ${by}`;
}

/** The kill as a message: what happened, in whose words, what to do. */
export function killFailure(kill: ProbeKill): Failure {
  const { name, probe, proof, words } = kill;
  const doubt = proof === 'found' ? 'because' : 'most likely because';
  return {
    code: 'killed-while-paused',
    message: `The program of "${name}" was killed while it was paused, ${doubt} its ${probe.kind} probe (${probe.handler}) failed.`,
    ...(words === undefined ? {} : { cause: words }),
    remedy: riskRemedy({ probe, effect: 'restart' }),
    actions: [],
  };
}

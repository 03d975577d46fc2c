import type { Container, Probe } from '../model.ts';

/** What a probe does to a container whose program is paused. `isSure`: the program itself has to answer. */
export type ProbeRisk = Readonly<{
  probe: Probe;
  effect: 'restart' | 'unready' | 'taken';
  /** From the pause on; 0 where the time does not count. */
  afterSeconds: number;
  isSure: boolean;
}>;

/**
 * Which probes will restart or take out of service a container that is paused in a debugger. A TCP probe will not: the
 * kernel accepts connections in the program's place. On the debug port it comes as one more debugger, though.
 */
export function probeRisksOf({ probes = [], detection }: Container): readonly ProbeRisk[] {
  return probes.flatMap((probe): readonly ProbeRisk[] => {
    const { kind, handler, port } = probe;
    if (handler === 'tcp') {
      const isDebugPort = port !== undefined && (port === detection.port || isDebugName(port, detection.ports));
      return isDebugPort ? [{ probe, effect: 'taken', afterSeconds: 0, isSure: true }] : [];
    }
    const effect = kind === 'readiness' ? 'unready' : 'restart';
    return [{ probe, effect, afterSeconds: failsAfter(probe), isSure: handler !== 'exec' }];
  });
}

/** Whether a probe restarts a container when a paused program does not answer. */
export const isLikelyKiller = ({ kind, handler }: Probe): boolean => kind !== 'readiness' && handler !== 'tcp';

const isDebugName = (port: number | string, ports: Readonly<Record<string, number>>): boolean =>
  typeof port === 'string' && Object.hasOwn(ports, port);

/** The longest time until the kubelet acts: so many periods, and the last try runs into its timeout. */
const failsAfter = ({ periodSeconds, failureThreshold, timeoutSeconds }: Probe): number =>
  periodSeconds * failureThreshold + timeoutSeconds;

/** A risk in a clause, for people. */
export function riskText({ probe, effect, afterSeconds, isSure }: ProbeRisk): string {
  const its = `its ${probe.kind} probe (${probe.handler})`;
  if (effect === 'taken') return `${its} connects to the debug port every ${probe.periodSeconds} seconds`;
  const does = effect === 'restart' ? 'restart the container' : 'take the pod out of service';
  return `${its} ${isSure ? 'will' : 'may'} ${does} after about ${afterSeconds} seconds`;
}

/** What to do about a risk, a sentence. Skaffold lengthens the timeouts of HTTP probes alone (Skaffold pkg/skaffold/debug). */
export function riskRemedy({ probe, effect }: Pick<ProbeRisk, 'probe' | 'effect'>): string {
  const field = `${probe.kind}Probe`;
  if (effect === 'taken') return `Let ${field} look at another port: a debug port may take one client only.`;
  if (probe.handler === 'http' && probe.timeoutSeconds >= SKAFFOLD_TIMEOUT_SECONDS)
    return `Skaffold has lengthened ${field} already; take it out while you debug if you pause longer.`;
  return `Raise timeoutSeconds and failureThreshold of ${field} while you debug, or take it out in a Skaffold profile.`;
}

/** What `skaffold debug` sets (Skaffold pkg/skaffold/debug). */
const SKAFFOLD_TIMEOUT_SECONDS = 600;

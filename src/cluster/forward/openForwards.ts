import type { Forwards, ForwardTarget } from '../../core/contracts.ts';
import type { Disposable } from '../../lib/disposable.ts';
import type { Access } from '../access.ts';
import { ClusterExec } from '../exec/clusterExec.ts';
import { ExecSession } from '../exec/execSession.ts';
import { Dialer } from './dialer.ts';
import { DirectSession } from './directSession.ts';
import { portChoices } from './localPort.ts';
import { PortForward } from './portForward.ts';
import { DEFAULT_LIMITS, type ForwardLimits, type Transport, TRANSPORTS } from './session.ts';

export interface ForwardsOptions {
  /** Throws for a cluster that is not known. */
  accessOf(cluster: string): Access;
  /** Takes a line for people: why a transport did not work, who holds a port. Contains foreign text, raw. */
  log?(text: string): void;
  readonly limits?: Partial<ForwardLimits>;
  readonly transports?: readonly Transport[];
}

/** Opens forwards over the API server. Disposing it closes those that are open. */
export function openForwards(options: ForwardsOptions): ClusterForwards {
  return new ClusterForwards(options);
}

/** `Forwards` of this process; one for all clusters. */
export class ClusterForwards implements Forwards, Disposable {
  private readonly dialer: Dialer;
  private readonly exec: ClusterExec;
  private readonly limits: ForwardLimits;
  private readonly log: (text: string) => void;
  /** Local port by what is followed and the pod's port. */
  private readonly ports = new Map<string, number>();
  private readonly opened = new Set<PortForward>();

  constructor({ accessOf, log = () => undefined, limits, transports = TRANSPORTS }: ForwardsOptions) {
    this.log = log;
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.exec = new ClusterExec({ accessOf, log });
    this.dialer = new Dialer({ accessOf, limits: this.limits, transports, log });
  }

  async open(
    { pod, port, follow, localPort, direct, inside }: ForwardTarget,
    signal: AbortSignal,
  ): Promise<PortForward> {
    const forward = new PortForward({
      pod,
      port,
      limits: this.limits,
      dial: async (to, stop) => {
        if (direct) return new DirectSession(direct);
        if (inside) return new ExecSession(this.exec, { ...to, container: inside.container }, inside.command);
        return this.dialer.dial(to, stop);
      },
      log: this.log,
    });
    this.opened.add(forward);
    forward.onDispose(() => this.opened.delete(forward));
    const key = JSON.stringify([follow, port]);
    try {
      await forward.start(portChoices(localPort, this.ports.get(key), port), signal);
    } catch (error) {
      forward.dispose();
      throw error;
    }
    this.ports.set(key, forward.localPort);
    return forward;
  }

  dispose(): void {
    for (const forward of [...this.opened]) forward.dispose();
  }
}

import type { PodRef } from '../../core/contracts.ts';
import { rawText, UserError } from '../../core/errors.ts';
import type { Connection } from '../../lib/connection.ts';
import type { Access } from '../access.ts';
import { explain, noTransport } from './problems.ts';
import { DialError } from './refusal.ts';
import type { DialTarget } from './request.ts';
import { type ForwardLimits, type ForwardSession, type Transport } from './session.ts';
import { dialSpdy } from './spdyTransport.ts';
import { dialTunnel } from './tunnelTransport.ts';
import { V4Session } from './v4Transport.ts';

export interface DialerOptions {
  accessOf(cluster: string): Access;
  readonly limits: ForwardLimits;
  /** Those that may be used, best first. */
  readonly transports: readonly Transport[];
  log(text: string): void;
}

/** Opens sessions to pods over the first transport that works, and remembers per cluster which one did. */
export class Dialer {
  private readonly options: DialerOptions;
  private readonly working = new Map<string, Transport>();

  constructor(options: DialerOptions) {
    this.options = options;
  }

  /** Throws `UserError`, or the reason of `signal`. */
  async dial(pod: PodRef, signal: AbortSignal): Promise<ForwardSession> {
    const target: DialTarget = {
      access: this.options.accessOf(pod.cluster),
      pod,
      dialMs: this.options.limits.dialMs,
    };
    const reasons: string[] = [];
    for (const transport of this.order(pod.cluster)) {
      try {
        return await this.open(transport, target, reasons, signal);
      } catch (error) {
        if (signal.aborted || error instanceof UserError) throw error;
        if (error instanceof DialError && error.final) throw explain(target, transport, error);
        reasons.push(`${transport}: ${rawText(error)}`);
        this.options.log(`forward to ${pod.namespace}/${pod.pod}: ${reasons.at(-1)}`);
      }
    }
    throw noTransport(pod, reasons);
  }

  private order(cluster: string): readonly Transport[] {
    const { transports } = this.options;
    const first = this.working.get(cluster);
    return first ? [first, ...transports.filter(transport => transport !== first)] : transports;
  }

  private async open(
    transport: Transport,
    target: DialTarget,
    reasons: readonly string[],
    signal: AbortSignal,
  ): Promise<ForwardSession> {
    const { limits } = this.options;
    // v4 dials per connection, and only its first one shows whether it works: it is not remembered.
    if (transport === 'v4') return new ExplainingV4(target, limits, reasons);
    const session = await (transport === 'spdy' ? dialSpdy : dialTunnel)(target, limits, signal);
    this.working.set(target.pod.cluster, transport);
    return session;
  }
}

/** The last resort: when it fails too, the reasons of the others belong to the story. */
class ExplainingV4 extends V4Session {
  private readonly to: DialTarget;
  private readonly reasons: readonly string[];

  constructor(target: DialTarget, limits: ForwardLimits, reasons: readonly string[]) {
    super(target, limits);
    this.to = target;
    this.reasons = reasons;
  }

  override async connect(port: number, signal: AbortSignal): Promise<Connection> {
    try {
      return await super.connect(port, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const explained = explain(this.to, 'v4', error);
      if (explained instanceof UserError) throw explained;
      throw noTransport(this.to.pod, [...this.reasons, `v4: ${rawText(error)}`]);
    }
  }
}

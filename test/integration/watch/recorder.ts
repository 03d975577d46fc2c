import { detect } from '../../../src/cluster/detect/detect.ts';
import { podSource } from '../../../src/cluster/watch/podWatch.ts';
import type { ScriptedServer } from './server.ts';
import type { DebugEvent } from '../../../src/core/model.ts';
import { failureText } from '../../../src/core/errors.ts';
import type { PodSource, PodSourceOptions, WatchLimits } from '../../../src/cluster/watch/options.ts';

/** Runs a source and keeps what it says, as short words. */
export class Recorder {
  readonly events: DebugEvent[] = [];
  readonly done: Promise<void>;
  private readonly control = new AbortController();
  private readonly names = new Map<string, string>();
  private wake = () => {};

  constructor(source: PodSource) {
    this.done = this.run(source);
  }

  private async run(source: PodSource) {
    for await (const event of source(this.control.signal)) {
      this.events.push(event);
      this.wake();
    }
  }

  /** Stops the source, and waits for its end. */
  async stop(): Promise<void> {
    this.control.abort();
    await this.done;
  }

  /** Stops the source without waiting. */
  abort(): void {
    this.control.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** What was said of containers: `= a b` a snapshot, `+a running` seen, `-a` gone. */
  get containers(): string[] {
    return this.events.flatMap(event => this.word(event) ?? []);
  }

  get states(): string[] {
    return this.events.flatMap(event => (event.kind === 'source' ? [event.state.kind] : []));
  }

  get notices(): string[] {
    return this.events.flatMap(event => (event.kind === 'notice' ? [event.text] : []));
  }

  get failures(): string[] {
    return this.events.flatMap(event =>
      event.kind === 'source' && 'failure' in event.state ? [failureText(event.state.failure)] : [],
    );
  }

  private word(event: DebugEvent): string | undefined {
    if (event.kind === 'snapshot') {
      for (const { slot, pod } of event.containers) this.names.set(slot, pod);
      return `= ${event.containers.map(({ pod }) => pod).join(' ')}`.trim();
    }
    if (event.kind === 'seen') {
      this.names.set(event.container.slot, event.container.pod);
      return `+${event.container.pod} ${event.container.phase.kind}`;
    }
    return event.kind === 'gone' ? `-${this.names.get(event.slot) ?? event.slot}` : undefined;
  }

  /** Waits until `holds`, which is asked after each event and now and then; fails after 20 s with what was said. */
  async until(holds: () => boolean): Promise<void> {
    const end = Date.now() + 20_000;
    while (!holds()) {
      if (Date.now() > end) throw new Error(`waited in vain; said: ${JSON.stringify(this.summary())}`);
      await new Promise<void>(resolve => {
        this.wake = resolve;
        setTimeout(resolve, 20);
      });
    }
  }

  private summary() {
    return { containers: this.containers, states: this.states, failures: this.failures, notices: this.notices };
  }
}

/** Short waits, so that tests are quick. */
export const limits: Partial<WatchLimits> = { idleMs: 5_000, answerMs: 2_000, backoff: { firstMs: 10, mostMs: 80 } };

/** Watches all pods of a server. */
export const record = (server: ScriptedServer, options: Partial<PodSourceOptions> = {}): Recorder =>
  new Recorder(podSource({ api: server.api, scope: {}, detect, source: 'pods', limits, ...options }));

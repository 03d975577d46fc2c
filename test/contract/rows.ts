import { detect } from '../../src/cluster/detect/detect.ts';
import type { PodScope, WatchOptions } from '../../src/cluster/watch/options.ts';
import { podSource } from '../../src/cluster/watch/podWatch.ts';
import type { Container, DebugEvent, SourceState } from '../../src/core/model.ts';
import { failureText } from '../../src/core/errors.ts';
import type { SlotId } from '../../src/core/identity.ts';
import { eventually } from '../integration/demo/support.ts';
import type { Login } from './cluster.ts';

/** The containers that a watch tells of now, and what it has told of each. */
export class Rows {
  readonly containers = new Map<SlotId, Container>();
  /** Every report of a container, in its order; `undefined` for its end. */
  readonly reports: (readonly [SlotId, Container | undefined])[] = [];
  state: SourceState = { kind: 'connecting' };
  private readonly control = new AbortController();
  private readonly done: Promise<void>;

  constructor({ api }: Pick<Login, 'api'>, scope: PodScope, options: Partial<WatchOptions> = {}) {
    this.done = this.read(podSource({ api, scope, detect, source: 'pods', ...options })(this.control.signal));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.control.abort();
    await this.done;
  }

  /** `web/web nodejs 9229 live annotation`, sorted. Pods by their workload, since their names are made up. */
  get words(): string[] {
    return [...this.containers.values()]
      .map(({ workload, container, detection: { runtime, port, verdict, evidence } }) =>
        [`${workload.name}/${container}`, runtime, port, verdict, evidence].join(' '),
      )
      .sort();
  }

  /** The failure that the watch has told of last. */
  get failure(): string {
    return 'failure' in this.state ? failureText(this.state.failure) : '';
  }

  async untilWatching(): Promise<void> {
    await eventually('the watch', () => this.state.kind === 'watching' || undefined);
  }

  /** Waits for a container that is as `isSo` wants it. */
  until(what: string, isSo: (container: Container) => boolean): Promise<Container> {
    return eventually(what, () => [...this.containers.values()].find(isSo));
  }

  private async read(events: AsyncIterable<DebugEvent>): Promise<void> {
    for await (const event of events) this.apply(event);
  }

  private apply(event: DebugEvent): void {
    if (event.kind === 'snapshot') for (const container of event.containers) this.see(container);
    else if (event.kind === 'seen') this.see(event.container);
    else if (event.kind === 'source') this.state = event.state;
    else if (event.kind === 'gone') {
      this.containers.delete(event.slot);
      this.reports.push([event.slot, undefined]);
    }
  }

  private see(container: Container): void {
    this.containers.set(container.slot, container);
    this.reports.push([container.slot, container]);
  }
}

import type { IncomingMessage } from 'node:http';
import { rawText } from '../../core/errors.ts';
import type { DebugEvent } from '../../core/model.ts';
import { within } from '../../lib/deadline.ts';
import { utf8Of } from '../../lib/lines.ts';
import { Once } from '../../lib/once.ts';
import { oneLine } from '../../lib/plainText.ts';
import { bodyOf, linesOf, SilenceError } from './body.ts';
import { type Frame, parseFrame } from './frames.ts';
import { KnownPods } from './knownPods.ts';
import { type PodSourceOptions, type ServerMemory, type WatchLimits, watchLimits } from './options.ts';
import type { Pod } from '../pods/pod.ts';
import { type Page, parsePage } from './pages.ts';
import { PodPaths } from './podPaths.ts';
import { headOf, mayBeListed, podKey } from './prefilter.ts';
import { EmptyWatchError, hasExpired, refusesStreaming } from './problems.ts';

/** Life of a watch that a list follows, and the silence after which it has told all. */
const DOUBTED_SECONDS = 2;
const TOLD_ALL_MS = 1_000;
/** Unreadable events of one try that are told one by one. */
const mostUnreadable = 3;
const nothing: readonly DebugEvent[] = [];

type Events = AsyncGenerator<DebugEvent, void, void>;

/**
 * Reads pods from one server, try by try: a list where only that can tell, then the watch that continues it, over one
 * connection at a time. Says `watching` whenever it is; knows nothing of waits.
 */
export class PodReader {
  private readonly options: PodSourceOptions;
  private readonly limits: WatchLimits;
  private readonly signal: AbortSignal;
  private readonly paths: PodPaths;
  private readonly known: KnownPods;
  private readonly memory: ServerMemory;

  /** Where to continue from; `undefined` when only a list can tell. */
  private version: string | undefined;
  /** Whether `version` may belong to another history. */
  private isDoubted = false;
  /** Pods that the list under way has told of. */
  private listing: Set<string> | undefined;
  private toldAll = false;
  private watched = false;
  /** The pages of a list expired before the last one came: ask for everything at once. */
  private withoutPages = false;

  /** Of the current try. */
  private liveSince: number | undefined;
  /** Events, bookmarks and pages that came. */
  private heard = 0;
  private unreadable = 0;
  /** Beginnings of unreadable events, which a page in place of an API server brings with each try. */
  private readonly toldUnreadable = new Once();
  /** Whether the last try opened a watch and got nothing from it: then an opened watch is not yet good news. */
  private wasHollow = false;

  constructor(options: PodSourceOptions, signal: AbortSignal) {
    this.options = options;
    this.signal = signal;
    this.limits = { ...watchLimits, ...options.limits };
    this.paths = new PodPaths(options.scope);
    this.memory = options.memory ?? { refusesStreaming: false };
    this.known = new KnownPods({ ...options, cluster: options.api.access.cluster });
  }

  /** Whether a watch has ever been open after a complete list. */
  get hasWatched(): boolean {
    return this.watched;
  }

  /** Whether the current or last try brought pods or bookmarks. */
  get hasHeard(): boolean {
    return this.heard > 0;
  }

  /** How long the current or last try has been watching; 0 when it did not come so far. */
  get livedMs(): number {
    return this.liveSince === undefined ? 0 : performance.now() - this.liveSince;
  }

  /** Makes the next try begin with a list. */
  listAgain(): void {
    this.version = undefined;
  }

  /**
   * Makes the next watch a short one that a list follows. Only a watch tells every run of a container that came and went
   * while nobody was connected; only a list is sure to be right, for an etcd restored from a backup goes back in versions.
   */
  doubt(): void {
    this.isDoubted = true;
  }

  /** One try; ends when its watch ends in good order, and throws for any other reason. */
  async *read(): Events {
    this.wasHollow = this.liveSince !== undefined && this.heard === 0;
    this.liveSince = undefined;
    this.heard = 0;
    this.unreadable = 0;
    if (this.version === undefined) yield* this.list();
    else yield* this.watch(this.version);
  }

  private async *list(): Events {
    this.isDoubted = false;
    if (this.memory.refusesStreaming) return yield* this.listByPages();
    try {
      return yield* this.listByWatching();
    } catch (error) {
      if (this.version !== undefined || !refusesStreaming(error)) throw error;
    }
    yield* this.listByPages(() => (this.memory.refusesStreaming = true));
  }

  private async *listByWatching(): Events {
    this.listing = new Set();
    const response = await this.open(this.paths.streamingList(this.life()));
    yield* this.follow(response);
    if (this.listing) throw new EmptyWatchError(true);
  }

  private async *listByPages(onListed = () => {}): Events {
    this.listing = new Set();
    let version: string | undefined;
    for (let next: string | undefined = ''; next !== undefined;) {
      const page: Page = await this.page(next);
      this.heard++;
      version ??= page.resourceVersion;
      for (const pod of page.pods) yield* this.see(pod);
      next = page.next || undefined;
    }
    onListed();
    this.withoutPages = false;
    yield* this.completeList();
    yield* this.watch(version ?? '');
  }

  private async page(next: string): Promise<Page> {
    try {
      const response = await this.open(this.paths.list(this.withoutPages ? undefined : this.limits.pageSize, next));
      const body = await bodyOf(response, { idleMs: () => this.limits.answerMs, signal: this.signal });
      return parsePage(body, this.options.words);
    } catch (error) {
      if (next && hasExpired(error)) this.withoutPages = true;
      throw error;
    }
  }

  private async *watch(version: string): Events {
    this.version = version;
    const isShort = this.isDoubted;
    const seconds = isShort ? DOUBTED_SECONDS : this.life();
    const response = await this.open(this.paths.watch(version, seconds));
    this.goLive();
    if (!this.wasHollow) yield this.watching();
    const before = this.heard;
    if (isShort) return yield* this.replay(response);
    yield* this.follow(response);
    if (this.heard === before && this.livedMs < seconds * 500) throw new EmptyWatchError(false);
  }

  private async *replay(response: IncomingMessage): Events {
    try {
      yield* this.follow(response, TOLD_ALL_MS);
    } catch (error) {
      if (!(error instanceof SilenceError)) throw error;
    }
    this.listAgain();
    yield* this.list();
  }

  /** Reads a watch to its end. */
  private async *follow(response: IncomingMessage, watchIdleMs = this.limits.idleMs): Events {
    const idleMs = () => (this.listing ? this.limits.answerMs : watchIdleMs);
    for await (const lines of linesOf(response, { idleMs, signal: this.signal }))
      for (const line of lines) for (const event of this.take(line)) yield event; // `yield*` would wait for each line
  }

  private take(line: string): Iterable<DebugEvent> {
    const head = mayBeListed(line, this.options.words) ? undefined : headOf(line);
    if (!head || this.known.has(head.key)) return this.takeParsed(utf8Of(line));
    this.heard++;
    if (!this.listing) this.version = head.resourceVersion;
    return this.wasHollow && !this.listing ? this.nowWatching() : nothing;
  }

  private *takeParsed(line: string): Iterable<DebugEvent> {
    const frame = this.parse(line);
    if ('problem' in frame) return yield* frame.problem;
    this.heard++;
    if (this.wasHollow && !this.listing) yield* this.nowWatching();
    if (!this.listing && frame.resourceVersion) this.version = frame.resourceVersion;
    if (frame.kind === 'pod') yield* frame.deleted ? this.report(this.known.delete(frame.pod)) : this.see(frame.pod);
    else if (frame.complete && this.listing) {
      this.version = frame.resourceVersion;
      this.goLive();
      yield* this.completeList();
    }
  }

  private parse(line: string): Frame | { readonly problem: readonly DebugEvent[] } {
    try {
      return parseFrame(line);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { problem: this.unreadableEvent(line, error) };
    }
  }

  private unreadableEvent(line: string, error: unknown): readonly DebugEvent[] {
    const start = oneLine(line.slice(0, 200), 120);
    if (++this.unreadable > mostUnreadable || !this.toldUnreadable.first(start)) return nothing;
    const more = this.unreadable === mostUnreadable ? ' More of this connection will not be told.' : '';
    const text = `An event of the pod watch cannot be read and is skipped: ${rawText(error)}. It begins with: ${start}${more}`;
    return [{ kind: 'notice', source: this.options.source, level: 'warn', text: oneLine(text) }];
  }

  private see(pod: Pod): readonly DebugEvent[] {
    this.listing?.add(podKey(pod.metadata?.namespace, pod.metadata?.name));
    return this.report(this.known.see(pod));
  }

  /** Until the first list is complete, containers are kept for the snapshot; only remarks are told. */
  private report(events: readonly DebugEvent[]): readonly DebugEvent[] {
    return this.toldAll ? events : events.filter(event => event.kind === 'notice');
  }

  private *completeList(): Iterable<DebugEvent> {
    const vanished = this.known.keepOnly(this.listing ?? new Set());
    this.listing = undefined;
    if (this.toldAll) yield* vanished;
    else yield { kind: 'snapshot', source: this.options.source, containers: this.known.containers() };
    this.toldAll = true;
    yield* this.nowWatching();
  }

  private goLive() {
    this.liveSince = performance.now();
    this.watched = true;
  }

  private *nowWatching(): Iterable<DebugEvent> {
    this.wasHollow = false;
    yield this.watching();
  }

  private watching(): DebugEvent {
    return { kind: 'source', source: this.options.source, state: { kind: 'watching' } };
  }

  private open(path: string): Promise<IncomingMessage> {
    this.signal.throwIfAborted();
    return within(this.limits.answerMs, this.signal, signal => this.options.api.get(path, signal));
  }

  private life(): number {
    const [least, most] = this.limits.lifeSeconds;
    return Math.round(least + Math.random() * (most - least));
  }
}

import type { ServerResponse } from 'node:http';
import { disposable, Disposables } from '../../lib/disposable.ts';
import { numberOf } from './listPods.ts';
import type { Change, ChangeType, PodStore, StoredPod } from './podStore.ts';
import type { PodEncoding } from './podEncoding.ts';
import { isTrue } from './requestInfo.ts';
import type { PodFilter } from './selectors.ts';
import { expired, invalidOptions, type Status } from './status.ts';

/** How this server treats watches; the odd ones are for tests. */
export interface WatchBehaviour {
  /** Time between bookmarks. */
  bookmarkMs: number;
  /** `status`: 422 before etcd feature gates; `error-event`: 500 inside a 200, as over an old etcd. */
  streamingLists: 'on' | 'status' | 'error-event';
  /** The form of 410: an ERROR event (the usual one), the HTTP status, or an empty 200. */
  gone: 'error-event' | 'status' | 'empty';
}

/** A client that lets this much lie unread loses its watch, as at a real API server. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;
const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' };

export interface WatchRequest {
  readonly store: PodStore;
  readonly filter: PodFilter;
  readonly query: URLSearchParams;
  readonly encoding: PodEncoding;
  readonly behaviour: WatchBehaviour;
}

/** Answers a watch until the client leaves or its time is over. Throws a `StatusError` before the first byte only. */
export function watchPods(request: WatchRequest, response: ServerResponse): void {
  const { store, query, behaviour } = request;
  const initial = query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined;
  checkOptions(query, initial);
  const asked = numberOf(query, 'resourceVersion') ?? 0;
  if (initial && behaviour.streamingLists === 'status')
    throw invalidOptions(
      'sendInitialEvents',
      'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    );
  const missed = asked === 0 || initial ? [] : store.since(asked);
  const tooOld = expired(`too old resource version: ${asked} (${store.compacted})`);
  if (!missed && behaviour.gone === 'status') throw tooOld;

  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  response.flushHeaders();
  const stream = new WatchStream(request, response);
  if (initial && behaviour.streamingLists === 'error-event') stream.fail(WATCH_LIST_REFUSED);
  else if (!missed && behaviour.gone === 'empty') response.end();
  else if (!missed) stream.fail(tooOld.status);
  else {
    if (initial || (asked === 0 && initial === undefined)) stream.sendAll(initial === true);
    missed.forEach(change => stream.send(change));
    stream.follow();
  }
}

/** What an API server over an etcd older than 3.4.31 or 3.5.13 says, for ever. */
const WATCH_LIST_REFUSED: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Internal error occurred: etcd does not support RequestProgress, cannot serve a streaming list',
  reason: 'InternalError',
  code: 500,
};

function checkOptions(query: URLSearchParams, initial: boolean | undefined): void {
  numberOf(query, 'timeoutSeconds');
  const match = query.get('resourceVersionMatch') ?? '';
  if (initial === undefined && match !== '')
    throw invalidOptions(
      'resourceVersionMatch',
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    );
  if (initial !== undefined && match !== 'NotOlderThan')
    throw invalidOptions(
      'resourceVersionMatch',
      'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    );
}

/** One open watch. */
class WatchStream {
  private readonly request: WatchRequest;
  private readonly response: ServerResponse;
  private readonly resources = new Disposables();
  private readonly wantsBookmarks: boolean;
  private mostUnread = MOST_UNREAD_BYTES;

  constructor(request: WatchRequest, response: ServerResponse) {
    this.request = request;
    this.response = response;
    this.wantsBookmarks = isTrue(request.query.get('allowWatchBookmarks'));
    response.once('close', () => this.resources.dispose());
  }

  /** The pods that are there now, as the start of a stream. */
  sendAll(marked: boolean): void {
    const { store, filter } = this.request;
    for (const stored of store.snapshot()) if (filter(stored.pod)) this.write('ADDED', stored);
    if (marked && this.wantsBookmarks) this.bookmark(INITIAL_EVENTS_END);
    this.mostUnread += this.response.writableLength; // the start may be large
  }

  /** A pod that comes into a selector is added, one that leaves it is deleted. */
  send({ type, now, before }: Change): void {
    const { filter } = this.request;
    const is = type !== 'DELETED' && filter(now.pod);
    const was = before !== undefined && filter(before.pod);
    if (is) this.write(was ? 'MODIFIED' : 'ADDED', now);
    else if (was) this.write('DELETED', type === 'DELETED' ? now : asOf(before, now.version));
    if (this.response.writableLength > this.mostUnread) this.response.destroy();
  }

  follow(): void {
    const { store, query, behaviour } = this.request;
    this.resources.add(store.onDidChange(change => this.send(change)));
    if (this.wantsBookmarks) this.every(behaviour.bookmarkMs, () => this.bookmark());
    const timeoutMs = 1000 * (numberOf(query, 'timeoutSeconds') || 1800 + Math.random() * 1800);
    const timer = setTimeout(() => this.end(), timeoutMs);
    this.resources.add(disposable(() => clearTimeout(timer)));
  }

  /** An ERROR event, and the end. */
  fail(status: Status): void {
    this.response.end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
  }

  /** Nothing is written after the end, also before the response has closed. */
  private end(): void {
    this.resources.dispose();
    this.response.end();
  }

  private bookmark(annotations?: Record<string, string>): void {
    this.response.write(this.request.encoding.bookmark(this.request.store.version, annotations));
  }

  private write(type: ChangeType, stored: StoredPod): void {
    this.response.write(this.request.encoding.event(type, stored));
  }

  private every(ms: number, run: () => void): void {
    const timer = setInterval(run, ms);
    this.resources.add(disposable(() => clearInterval(timer)));
  }
}

/** A pod that left the selector is reported as it was, with the version at which it left. */
function asOf(before: StoredPod, version: number): StoredPod {
  const pod = structuredClone(before.pod);
  pod.metadata.resourceVersion = String(version);
  return { pod, version, json: JSON.stringify(pod) };
}

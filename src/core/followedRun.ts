import type { Disposable } from '../lib/disposable.ts';
import type { Source } from './feed.ts';
import type { DebugEvent, SourceName } from './model.ts';
import type { FollowedRun, RunAbout } from './runs.ts';
import type { Drain } from './skaffold.ts';

/** How a source learns that its Skaffold ends, and that nobody wants more. */
export type FollowSignals = Readonly<{ ending: AbortSignal; stop: AbortSignal; hasEndedWell(): boolean }>;

/** What `followInto` puts to work. */
export interface FollowInto {
  /** The application's. */
  watch(name: SourceName, source: Source): Disposable;
  readonly name: SourceName;
  readonly about: RunAbout;
  open(signals: FollowSignals): Source;
}

/** Begins to pour a running Skaffold into the store, what we know of it first. The disposable takes it out again. */
export function followInto({ watch, name, about, open }: FollowInto): FollowedRun & Disposable {
  const ending = new AbortController();
  const stop = new AbortController();
  const drained = Promise.withResolvers<Drain | undefined>();
  let isWell = false;
  const source = open({ ending: ending.signal, stop: stop.signal, hasEndedWell: () => isWell });
  const watching = watch(name, async function* told(signal): AsyncGenerator<DebugEvent, void, void> {
    let drain: Drain | undefined;
    try {
      yield { kind: 'skaffold', source: name, facts: [{ kind: 'about', about }] };
      for await (const event of source(signal)) {
        yield event; // goes on when it is in the store
        if (event.kind === 'drained') drain = event.drain;
      }
    } finally {
      drained.resolve(drain);
    }
  });
  // What is over is no source any more; one that was not found is, for as long as it is wanted.
  void drained.promise.then(drain => (drain || stop.signal.aborted) && watching.dispose());
  return {
    source: name,
    ending: () => ending.abort(),
    stop: (hasEndedWell = false) => {
      isWell ||= hasEndedWell;
      stop.abort();
    },
    leave: () => watching.dispose(),
    drained: drained.promise,
    dispose: () => watching.dispose(),
  };
}

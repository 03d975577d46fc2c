import type { Application } from '../core/application.ts';
import type { SlotId } from '../core/identity.ts';
import { explain, type ExplainStep, type Findings } from '../core/explain/explain.ts';
import type { Container } from '../core/model.ts';
import { type DebugState, rowAt, rowsOf } from '../core/selectors.ts';
import type { Event } from '../lib/emitter.ts';

/** One container, as other extensions see it. */
export type ApiRow = Readonly<{
  id: string;
  namespace: string;
  pod: string;
  container: string;
  workload: string;
  runtime?: string;
  port?: number;
  state: DebugState;
  isAttachable: boolean;
  /** The program does not begin before a debugger is attached. */
  waitsForYou: boolean;
  /** On 127.0.0.1, while a debugger is attached. */
  localPort?: number;
  /** Why the last attach failed. */
  failure?: string;
}>;

/** What `activate` returns. */
export interface BreakpodApi {
  readonly version: 1;
  /** The containers as they are now; asking starts the watch, `onDidChange` tells of what it finds. */
  rows(): readonly ApiRow[];
  readonly onDidChange: Event<void>;
  /** Attaches a debugger, or focuses the session that the container has. Rejects with a message for people. */
  attach(id: string): Promise<void>;
  /** Ends the session, or the attach under way; the program goes on. */
  detach(id: string): Promise<void>;
  /** The chain from Skaffold to a breakpoint, link by link; empty for a container that is gone. */
  explain(id: string): readonly ExplainStep[];
}

/** `touch` is called when somebody asks, `findings` is what the window knows of a container. */
export const apiOf = (
  { store, attach }: Application,
  touch: () => void,
  findings: (container: Container) => Findings,
): BreakpodApi => ({
  version: 1,
  rows: () => {
    touch();
    return rowsOf(store.state).map(({ container: c, state, isAttachable, waitsForYou, session, failure }) => ({
      id: c.slot,
      namespace: c.namespace,
      pod: c.pod,
      container: c.container,
      workload: c.workload.name,
      ...(c.detection.runtime === undefined ? {} : { runtime: c.detection.runtime }),
      ...(c.detection.port === undefined ? {} : { port: c.detection.port }),
      state,
      isAttachable,
      waitsForYou,
      ...(session ? { localPort: session.localPort } : {}),
      ...(failure ? { failure: failure.message } : {}),
    }));
  },
  onDidChange: listener => store.onDidChange(() => listener()),
  attach: id => attach.attach(id as SlotId),
  detach: id => attach.detach(id as SlotId),
  explain: id => {
    const row = rowAt(store.state, id as SlotId);
    return row ? explain(store.state, row, findings(row.container)) : [];
  },
});

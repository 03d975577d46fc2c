import { PassThrough } from 'node:stream';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { AttachCoordinator, type AttachParts } from '../../../../src/core/attach.ts';
import type { Forward, Recipe, SessionEnd } from '../../../../src/core/contracts.ts';
import { EventLog } from '../../../../src/core/eventLog.ts';
import type { FollowRule } from '../../../../src/core/follow/follower.ts';
import type { Container } from '../../../../src/core/model.ts';
import { rowsOf } from '../../../../src/core/selectors.ts';
import { Store } from '../../../../src/core/store.ts';
import { Emitter } from '../../../../src/lib/emitter.ts';
import { container } from '../../../support/containers.ts';

// The order of events and what is attached to is all that counts here; real debuggers and pods are in the contract tests.

/** What a test wants to be otherwise. */
interface Given {
  rule?: FollowRule;
  answer?: boolean;
  successorMs?: number;
  ready?(signal: AbortSignal): Promise<object>;
  start?(): Promise<void>;
}

/** A container `web` in a pod of its own. */
export const pod = (name: string, parts: Parameters<typeof container>[0] = {}) =>
  container({ pod: `web-7d9c-${name}`, podUid: `uid-${name}`, containerId: `${name}-1`, ...parts });

/** Its pod is being deleted. */
export const terminating = { phase: { kind: 'terminating' } } as const;

/** The coordinator on a store without containers. */
export function arrange(t: TestContext, given: Given = {}) {
  const log = new EventLog(() => new Date(0));
  const store = new Store(log);
  const ended = new Emitter<SessionEnd>();
  const paused = new Emitter<{ sessionId: string; paused: boolean }>();
  const started: string[] = [];
  const asked: string[] = [];
  const wishes: (number | undefined)[] = [];
  const forward: Forward = {
    localPort: 40_001,
    onProblem: new Emitter<Error>().event,
    dial: async () => new PassThrough(),
    handOver: () => undefined,
    retarget: () => undefined,
    dispose: () => undefined,
  };
  const recipe: Recipe = {
    ...{ runtime: 'nodejs', type: 'node', label: 'Node.js', extensions: [], ports: ['devtools'] },
    ready: async (_, { signal }) => (given.ready ? given.ready(signal) : {}),
    attach: () => ({}),
  };
  const parts: AttachParts = {
    store,
    recipes: { recipeFor: () => recipe },
    paths: { mapFor: async () => ({ sources: [] }) },
    forwards: {
      async open({ localPort, pod: to }) {
        wishes.push(localPort);
        started.push(`forward to ${to.podUid}`);
        return forward;
      },
    },
    sessions: {
      check: () => undefined,
      async start({ name }, _, { isQuiet }) {
        await given.start?.();
        started.push(`${name}${isQuiet ? ', quietly' : ''}`);
        return `s${started.filter(line => !line.startsWith('forward')).length}`;
      },
      async detach(sessionId) {
        await delay(1);
        ended.fire({ sessionId, isWanted: true });
      },
      focus: () => undefined,
      onDidEnd: ended.event,
      onDidPause: paused.event,
    },
    configurationOf: (_, { container: name }) => ({ type: 'node', request: 'attach', name }),
    follow: {
      ruleFor: () => given.rule ?? 'always',
      async ask(one) {
        asked.push(one.pod);
        return given.answer ?? false;
      },
      limitsMs: { successor: given.successorMs ?? 60_000, retry: 1 },
    },
  };
  const coordinator = new AttachCoordinator(parts);
  t.after(() => coordinator.dispose());
  const see = (one: Container) => store.apply({ kind: 'seen', source: 'pods', container: one });
  const lose = (sessionId: string) => ended.fire({ sessionId, isWanted: false });
  const warnings = () => log.records.filter(({ level }) => level === 'warn').map(({ entry }) => entry);
  /** The pods that have a debugger, with the debugger's name. */
  const debuggers = () =>
    rowsOf(store.state).flatMap(row => (row.session ? [[row.container.podUid, row.session.name]] : []));
  return { coordinator, store, log, started, asked, wishes, see, lose, warnings, debuggers, paused, ended };
}

/** Long enough for everything that is under way. */
export const settled = () => delay(30);

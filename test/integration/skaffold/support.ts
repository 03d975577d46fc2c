import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { EventLog } from '../../../src/core/eventLog.ts';
import { Feed } from '../../../src/core/feed.ts';
import { Store } from '../../../src/core/store.ts';
import { followSkaffold } from '../../../src/skaffold/follow.ts';
import { type ServerFaults, startSkaffoldServer, v1Entry } from '../../support/skaffoldServer.ts';
import { eventually } from '../demo/support.ts';

/** A Skaffold that speaks real gRPC, and what the log and the rows make of it. */
export async function follow(t: TestContext, faults: ServerFaults = {}, { drainMs = 300 } = {}) {
  const server = await startSkaffoldServer(faults);
  t.after(() => server.kill());
  return { server, ...followPort(t, server.port, drainMs) };
}

/** What the log and the rows make of the Skaffold at this port. */
export function followPort(t: TestContext, port: number, drainMs = 300) {
  const stop = new AbortController();
  const log = new EventLog(() => new Date());
  const store = new Store(log);
  const source = followSkaffold({ port, stop: stop.signal, drainMs, patienceMs: 1000 });
  const failed: unknown[] = [];
  const feed = new Feed(source, store, error => failed.push(error));
  t.after(async () => {
    feed.dispose();
    await feed.done;
    assert.deepEqual(failed, []);
  });
  const entries = (kind: RegExp) => log.records.filter(record => kind.test(record.kind)).map(({ entry }) => entry);
  const told = (text: string | RegExp, times = 1) =>
    eventually(`${times} times ${text}`, () => {
      const found = log.records.filter(({ entry }) => (typeof text === 'string' ? entry === text : text.test(entry)));
      return found.length >= times ? found : undefined;
    });
  const end = async () => {
    stop.abort();
    await feed.done;
    return log.records.at(-1)!;
  };
  return { store, log, feed, entries, told, end, stop };
}

/** An entry of v1 that nothing depends on. */
export const deploy = (second: number, text: string) =>
  v1Entry(second, { deployEvent: { status: 'In Progress', err: '', errCode: 0, actionableErr: undefined } }, text);

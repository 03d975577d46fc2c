import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import test from 'node:test';
import { AttachCoordinator } from '../../../src/core/attach.ts';
import type { DebugConfiguration, Forwards, Inside, Recipe, SessionEnd } from '../../../src/core/contracts.ts';
import { UserError } from '../../../src/core/errors.ts';
import { EventLog } from '../../../src/core/eventLog.ts';
import { rowsOf } from '../../../src/core/selectors.ts';
import { Store } from '../../../src/core/store.ts';
import { Emitter } from '../../../src/lib/emitter.ts';
import { container } from '../../support/containers.ts';
import { noFollow } from '../../support/noFollow.ts';

const api = container({ containerId: 'c1', detection: { runtime: 'netcore', ports: {} } });
const { port: _port, ...detection } = api.detection;
const netcore = { ...api, detection };

const recipe: Recipe = {
  ...{ runtime: 'netcore', type: 'coreclr', label: '.NET debugger', extensions: [], ports: [], isInside: true },
  ready: async () => ({}),
  attach: () => ({ justMyCode: true, processId: '9' }),
};

function arrange(inside?: () => Promise<Inside>) {
  const store = new Store(new EventLog(() => new Date(0)));
  const opened: Parameters<Forwards['open']>[0][] = [];
  const started: DebugConfiguration[] = [];
  const coordinator = new AttachCoordinator({
    store,
    recipes: { recipeFor: () => recipe },
    paths: { mapFor: async () => ({ sources: [] }) },
    forwards: {
      async open(target) {
        opened.push(target);
        return {
          localPort: 40_001,
          onProblem: new Emitter<Error>().event,
          dial: async () => new PassThrough(),
          handOver: () => undefined,
          retarget: () => undefined,
          dispose: () => undefined,
        };
      },
    },
    sessions: {
      check: () => undefined,
      async start(configuration) {
        started.push(configuration);
        return 's1';
      },
      detach: async () => undefined,
      focus: () => undefined,
      onDidEnd: new Emitter<SessionEnd>().event,
      onDidPause: new Emitter<{ sessionId: string; paused: boolean }>().event,
    },
    configurationOf: ({ attach }, of, at, paths) => ({
      ...attach(at, paths, of.detection),
      ...({ type: 'coreclr', request: 'attach', name: 'api' } as const),
    }),
    follow: noFollow,
    ...(inside ? { inside } : {}),
  });
  store.apply({ kind: 'seen', source: 'pods', container: netcore });
  return { coordinator, store, opened, started };
}

test('inside: the program in the container is reached by a local port, and its fields come after those of recipe and user', async () => {
  const command = ['/dbg/netcore/vsdbg', '--interpreter=vscode'];
  const { coordinator, store, opened, started } = arrange(async () => ({
    command,
    fieldsAt: ({ port }) => ({ processId: '1', pipeTransport: { pipeArgs: [String(port)] } }),
  }));
  await coordinator.attach(netcore.slot);
  assert.equal(rowsOf(store.state)[0]?.state, 'attached');
  assert.deepEqual([opened[0]?.port, opened[0]?.inside], [0, { container: 'web', command }]);
  const [configuration] = started;
  assert.deepEqual(configuration?.['pipeTransport'], { pipeArgs: ['40001'] });
  assert.equal(configuration?.['processId'], '9');
});

test('inside: what is missing in the container fails the step "container", and nothing is opened', async () => {
  const { coordinator, store, opened } = arrange(async () => {
    throw new UserError('netcore-debugger-missing', 'There is no .NET debugger.');
  });
  await assert.rejects(coordinator.attach(netcore.slot), { code: 'netcore-debugger-missing' });
  assert.deepEqual([rowsOf(store.state)[0]?.failure?.step, opened.length], ['container', 0]);
});

test('inside: a front end that runs no programs in containers says so', async () => {
  await assert.rejects(arrange().coordinator.attach(netcore.slot), { code: 'not-inside' });
});

import assert from 'node:assert/strict';
import test from 'node:test';
import type { DebugEvent } from '../../../src/core/model.ts';
import { empty, reduce } from '../../../src/core/reducer.ts';
import type { Progress, SkaffoldFact } from '../../../src/core/skaffold.ts';
import * as libraries from '../../../src/proto/libraries.ts';
import { stateFields } from '../../../src/service/state.ts';
import { Wire } from '../../../src/service/wire.ts';
import { container, exited } from '../../support/containers.ts';

const wire = new Wire(libraries);

/** The state as JSON, after these events. */
function stateAfter(events: readonly DebugEvent[], own?: Record<string, unknown>) {
  const state = events.reduce((now, event) => reduce(now, event).state, empty);
  return JSON.parse(wire.stateJson(wire.state(stateFields(state, own)))) as Record<string, unknown>;
}

const skaffold = (source: string, ...facts: SkaffoldFact[]): DebugEvent => ({ kind: 'skaffold', source, facts });

const progress = (task: string, subject: string, status: Progress['status'], code?: string): SkaffoldFact => ({
  kind: 'progress',
  progress: { task, subject, status, ...(code ? { problem: { code, message: 'x', suggestions: [] } } : {}) },
});

const artifacts = (...names: string[]): SkaffoldFact => ({
  kind: 'run',
  artifacts: names.map(name => ({ name, builder: 'KO', context: '.' })),
});

test('where nothing is known every field has its zero', () => {
  const phase = { status: 'Not Started', autoTrigger: false };
  assert.deepEqual(stateAfter([]), {
    buildState: { artifacts: {}, autoTrigger: false, statusCode: 'OK' },
    deployState: { ...phase, statusCode: 'OK' },
    forwardedPorts: {},
    statusCheckState: { status: 'Not Started', resources: {}, statusCode: 'OK' },
    fileSyncState: phase,
    debuggingContainers: [],
    metadata: null,
    testState: { status: 'Not Started', statusCode: 'OK' },
  });
});

test('containers that run, seen by the watch or reported by a Skaffold where nobody watches', () => {
  const [runs, ended] = [container({ pod: 'runs', podUid: 'a' }), container({ pod: 'ended', podUid: 'b' })];
  const reported = { namespace: 'other', pod: 'told', container: 'api', artifact: 'shop-api', runtime: 'go' };
  const { debuggingContainers } = stateAfter([
    { kind: 'snapshot', source: 'pods/shop', containers: [runs, ended] },
    { kind: 'source', source: 'pods/shop', state: { kind: 'watching' } },
    { kind: 'seen', source: 'pods/shop', container: { ...ended, phase: exited(0) } },
    skaffold('skaffold:1', {
      kind: 'debugging',
      status: 'Started',
      reported: { ...reported, workingDir: '/app', ports: { dlv: 56_268 } },
    }),
  ]);
  assert.deepEqual(debuggingContainers, [
    {
      ...{ status: 'Started', podName: 'runs', containerName: 'web', namespace: 'shop', artifact: '' },
      ...{ runtime: 'nodejs', workingDir: '', debugPorts: { devtools: 9229 } },
    },
    {
      ...{ status: 'Started', podName: 'told', containerName: 'api', namespace: 'other', artifact: 'shop-api' },
      ...{ runtime: 'go', workingDir: '/app', debugPorts: { dlv: 56_268 } },
    },
  ]);
});

test('forwards of ours and of Skaffold, as their events have them', () => {
  const at = { namespace: 'shop', pod: 'web-1', container: 'web' };
  const { forwardedPorts } = stateAfter([
    { kind: 'forwarded', forwarded: { localPort: 41_000, remotePort: 9229, ...at } },
    skaffold('skaffold:1', {
      kind: 'port',
      port: { localPort: 8080, remotePort: 0, ...at, resource: 'service/web', portName: 'web', targetName: 'http' },
    }),
  ]);
  const common = { podName: 'web-1', containerName: 'web', namespace: 'shop', address: '127.0.0.1' };
  assert.deepEqual(forwardedPorts, {
    '8080': {
      ...{ localPort: 8080, remotePort: 0, ...common, portName: 'web', resourceType: 'service', resourceName: 'web' },
      targetPort: { type: 1, intVal: 0, strVal: 'http' },
    },
    '41000': {
      ...{ localPort: 41_000, remotePort: 9229, ...common, portName: '', resourceType: 'pod', resourceName: 'web-1' },
      targetPort: { type: 0, intVal: 9229, strVal: '' },
    },
  });
});

test('phases of a Skaffold in its own words, with the code of what failed, and what it says of itself', () => {
  const own = {
    buildState: { autoTrigger: true },
    fileSyncState: { autoTrigger: true },
    metadata: { build: { numberOfArtifacts: 2, builders: [{ type: 'KO', count: 2 }], type: 'LOCAL' } },
  };
  const state = stateAfter(
    [
      skaffold('skaffold:1', artifacts('web', 'api', 'cart')),
      skaffold('skaffold:1', progress('Build', 'web', 'succeeded')),
      skaffold('skaffold:1', progress('Build', 'api', 'failed', 'BUILD_USER_ERROR')),
      skaffold('skaffold:1', progress('Deploy', '', 'running')),
      skaffold('skaffold:1', progress('StatusCheck', '', 'succeeded')),
      skaffold('skaffold:1', progress('StatusCheck', 'deployment/web', 'succeeded')),
      skaffold('skaffold:1', progress('Sync', 'web', 'succeeded')),
      skaffold('skaffold:1', progress('Test', '', 'canceled')),
    ],
    own,
  );
  assert.deepEqual(state['buildState'], {
    artifacts: { api: 'Failed', cart: 'Not Started', web: 'Complete' },
    autoTrigger: true,
    statusCode: 'BUILD_USER_ERROR',
  });
  assert.deepEqual(state['deployState'], { status: 'In Progress', autoTrigger: false, statusCode: 'OK' });
  assert.deepEqual(state['statusCheckState'], {
    ...{ status: 'Succeeded', resources: { 'deployment/web': 'Succeeded' }, statusCode: 'OK' },
  });
  assert.deepEqual(state['fileSyncState'], { status: 'Succeeded', autoTrigger: true });
  assert.deepEqual(state['testState'], { status: 'Canceled', statusCode: 'OK' });
  assert.deepEqual(state['metadata'], {
    build: { numberOfArtifacts: 2, builders: [{ type: 'KO', count: 2 }], type: 'LOCAL', additional: {} },
    ...{ deploy: null, test: null, additional: {} },
  });
});

test('of two Skaffolds both artifacts are there; one that has ended, and the service of another Breakpod, are none', () => {
  const ended = { events: 0, ms: 0, outcome: 'complete' } as const;
  const state = stateAfter([
    skaffold('skaffold:1', artifacts('web'), progress('Build', 'web', 'succeeded')),
    skaffold('skaffold:2', artifacts('api')),
    skaffold('skaffold:3', artifacts('gone')),
    { kind: 'drained', source: 'skaffold:3', drain: ended },
    skaffold('skaffold:4', { kind: 'run', isNew: true, isRelay: true }, artifacts('echo')),
  ]);
  assert.deepEqual((state['buildState'] as { artifacts: object }).artifacts, { api: 'Not Started', web: 'Complete' });
});

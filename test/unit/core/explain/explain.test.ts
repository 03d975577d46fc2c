import assert from 'node:assert/strict';
import test from 'node:test';
import { explain, linkNames, type LinkName } from '../../../../src/core/explain/explain.ts';
import { probeRisksOf, riskText } from '../../../../src/core/explain/probes.ts';
import type { DebugEvent, Probe } from '../../../../src/core/model.ts';
import { empty, reduce } from '../../../../src/core/reducer.ts';
import { rowAt } from '../../../../src/core/selectors.ts';
import { container, exited, waiting } from '../../../support/containers.ts';

type Parts = Parameters<typeof container>[0];

const chain = (parts: Parts, events: readonly DebugEvent[] = []) => {
  const one = container(parts);
  const given: DebugEvent[] = [{ kind: 'seen', source: 'pods', container: one }, ...events];
  const state = given.reduce((now, event) => reduce(now, event).state, empty);
  return explain(state, rowAt(state, one.slot)!);
};

const failedAt = (step: 'forward' | 'listener' | 'debugger' | 'session' | 'paths'): DebugEvent => ({
  kind: 'attach-failed',
  slot: container().slot,
  failure: { code: 'x', message: 'It broke.', cause: 'raw words', remedy: 'Mend it.', step, actions: [] },
});

const brokenAt: { name: string; parts?: Parts; events?: DebugEvent[]; link: LinkName; detail: RegExp; fix: RegExp }[] =
  [
    {
      name: 'nothing found',
      parts: { detection: { verdict: 'not-debuggable', found: '', reason: 'server=n' } },
      link: 'evidence',
      detail: /server=n/,
      fix: /skaffold debug/,
    },
    {
      name: 'flags that crash',
      parts: { detection: { verdict: 'crash', reason: 'bad flag' } },
      link: 'evidence',
      detail: /bad flag/,
      fix: /Correct the debug flags/,
    },
    {
      name: 'no image',
      parts: { phase: waiting('ImagePullBackOff') },
      link: 'pod',
      detail: /^ImagePullBackOff$/,
      fix: /image/,
    },
    {
      name: 'crash loop',
      parts: { phase: waiting('CrashLoopBackOff'), last: { exitCode: 255, reason: 'Error' } },
      link: 'pod',
      detail: /CrashLoopBackOff; last run: Error, exit code 255/,
      fix: /kubectl logs --previous/,
    },
    {
      name: 'ended',
      parts: { phase: exited(137, 'OOMKilled') },
      link: 'pod',
      detail: /OOMKilled, exit code 137/,
      fix: /Look why/,
    },
    {
      name: 'being deleted',
      parts: { phase: { kind: 'terminating' } },
      link: 'pod',
      detail: /deleted/,
      fix: /successor/,
    },
    ...(['forward', 'listener', 'debugger', 'session', 'paths'] as const).map(step => ({
      name: `attach failed at ${step}`,
      events: [failedAt(step)],
      link: step,
      detail: /^It broke\. \(raw words\)$/,
      fix: /^Mend it\.$/,
    })),
  ];

for (const { name, parts, events, link, detail, fix } of brokenAt)
  test(`explain: ${name}`, () => {
    const steps = chain(parts, events);
    assert.deepEqual(
      steps.map(step => step.name),
      linkNames,
    );
    assert.deepEqual(
      steps.filter(({ ok }) => ok === false).map(step => step.name),
      [link],
    );
    const step = steps.find(one => one.name === link)!;
    assert.match(step.detail, detail);
    assert.match(step.fix!, fix);
  });

test('explain: a container that is well has no cross, and no fix where a tick is', () => {
  const steps = chain({});
  assert.deepEqual(
    steps.filter(({ ok }) => ok === false),
    [],
  );
  assert.deepEqual(
    steps.filter(({ ok }) => ok === true).map(({ name, fix }) => [name, fix]),
    [
      ['evidence', null],
      ['pod', null],
      ['probes', null],
      ['port', null],
    ],
  );
});

test('explain: no port', () => {
  const steps = chain({ detection: { verdict: 'port-unknown', port: undefined as never, reason: 'no address' } });
  const port = steps.find(({ name }) => name === 'port')!;
  assert.equal(port.ok, false);
  assert.match(port.detail, /no address/);
});

const probe = (parts: Partial<Probe>): Probe => ({
  kind: 'liveness',
  handler: 'http',
  periodSeconds: 10,
  timeoutSeconds: 1,
  failureThreshold: 3,
  ...parts,
});

const probes: { name: string; probe: Probe; want: string[] }[] = [
  {
    name: 'http',
    probe: probe({}),
    want: ['its liveness probe (http) will restart the container after about 31 seconds'],
  },
  {
    name: 'http as Skaffold sets it',
    probe: probe({ timeoutSeconds: 600 }),
    want: ['its liveness probe (http) will restart the container after about 630 seconds'],
  },
  {
    name: 'exec',
    probe: probe({ handler: 'exec' }),
    want: ['its liveness probe (exec) may restart the container after about 31 seconds'],
  },
  {
    name: 'grpc readiness',
    probe: probe({ kind: 'readiness', handler: 'grpc', periodSeconds: 5, failureThreshold: 1 }),
    want: ['its readiness probe (grpc) will take the pod out of service after about 6 seconds'],
  },
  { name: 'tcp: the kernel answers', probe: probe({ handler: 'tcp', port: 8080 }), want: [] },
  {
    name: 'tcp on the debug port',
    probe: probe({ kind: 'readiness', handler: 'tcp', port: 'devtools' }),
    want: ['its readiness probe (tcp) connects to the debug port every 10 seconds'],
  },
];

for (const { name, probe: one, want } of probes)
  test(`probe guard: ${name}`, () => assert.deepEqual(probeRisksOf(container({ probes: [one] })).map(riskText), want));

test('probe guard: the log says at the attach what a pause may cost', () => {
  const one = container({ probes: [probe({ handler: 'exec' })] });
  const { state } = reduce(empty, { kind: 'seen', source: 'pods', container: one });
  const { slot, id: instance, follow, namespace, pod, container: name } = one;
  const session = {
    id: 's1',
    slot,
    instance,
    follow,
    namespace,
    pod,
    container: name,
    name: 'web',
    localPort: 9229,
    paused: false,
  };
  const { drafts } = reduce(state, { kind: 'attached', session, sources: [] });
  assert.deepEqual(
    drafts.filter(({ level }) => level === 'warn').map(({ entry }) => entry),
    [
      'While web is paused: its liveness probe (exec) may restart the container after about 31 seconds. Raise timeoutSeconds and failureThreshold of livenessProbe while you debug, or take it out in a Skaffold profile.',
    ],
  );
});

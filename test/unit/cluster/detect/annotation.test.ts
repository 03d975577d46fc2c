import assert from 'node:assert/strict';
import test from 'node:test';
import { ANNOTATION, annotationProblems } from '../../../../src/cluster/detect/annotation.ts';
import { detect } from '../../../../src/cluster/detect/detect.ts';
import { Once } from '../../../../src/lib/once.ts';
import type { Pod, PodContainer } from '../../../../src/cluster/pods/pod.ts';

const podWith = (value: unknown, container: Partial<PodContainer> = {}, name = 'web-1'): Pod => ({
  metadata: { name, annotations: { [ANNOTATION]: typeof value === 'string' ? value : JSON.stringify(value) } },
  spec: { containers: [{ name: 'web', ...container }] },
});
const look = (pod: Pod) => detect(pod.spec!.containers![0]!, pod);

const forms: { name: string; entry: unknown; want: object }[] = [
  {
    name: 'since v1.4.0',
    entry: { artifact: 'app-java', runtime: 'jvm', workingDir: '/srv', ports: { jdwp: 5005 } },
    want: {
      runtime: 'jvm',
      port: 5005,
      verdict: 'live',
      artifact: 'app-java',
      workingDir: '/srv',
      ports: { jdwp: 5005 },
    },
  },
  {
    name: 'v1.3: artifactImage',
    entry: { artifactImage: 'app-node', runtime: 'nodejs', workingDir: '/app', ports: { devtools: 9229 } },
    want: { runtime: 'nodejs', port: 9229, verdict: 'live', artifact: 'app-node' },
  },
  {
    name: 'until v1.2: flat',
    entry: { runtime: 'nodejs', devtools: 9229 },
    want: { runtime: 'nodejs', port: 9229, verdict: 'live', ports: { devtools: 9229 } },
  },
  {
    name: 'H15: netcore needs no port',
    entry: { artifact: 'api', runtime: 'netcore' },
    want: { runtime: 'netcore', verdict: 'live', port: undefined, reason: undefined },
  },
  {
    name: 'H14: a port as string',
    entry: { runtime: 'nodejs', ports: { devtools: '9229' } },
    want: { port: 9229, verdict: 'live' },
  },
  {
    name: 'an object beside the runtime',
    entry: { runtime: 'nodejs', ports: { devtools: 9229 }, more: { toString: 1 } },
    want: { port: 9229, verdict: 'live', ports: { devtools: 9229 } },
  },
  {
    name: 'names that every object has',
    entry: JSON.parse('{"runtime":"constructor","ports":{"__proto__":5005,"toString":0}}'),
    want: { runtime: 'constructor', port: 5005, verdict: 'not-debuggable' },
  },
  {
    name: 'two ports',
    entry: { runtime: 'python', ports: { pydevd: 5679, dap: 5678 } },
    want: { port: 5678, verdict: 'live', ports: { dap: 5678, pydevd: 5679 } },
  },
  {
    name: 'a protocol name of its own',
    entry: { runtime: 'jvm', ports: { debug: 8000 } },
    want: { port: 8000, verdict: 'live' },
  },
];
for (const { name, entry, want } of forms)
  test(`annotation: ${name}`, () => {
    const seen = look(podWith({ web: entry }));
    assert.deepEqual(
      { ...pick(seen, want), evidence: seen.evidence, listed: seen.listed },
      { ...want, evidence: 'annotation', listed: true },
    );
  });

const runtimes: [string, string, Record<string, number>?][] = [
  ['jvm', 'jvm'],
  ['java', 'jvm'],
  ['nodejs', 'nodejs'],
  ['node', 'nodejs'],
  ['npm', 'nodejs'],
  ['go', 'go'],
  ['golang', 'go'],
  ['python', 'python'],
  ['netcore', 'netcore'],
  ['dotnet', 'netcore'],
  ['.NET', 'netcore'],
  ['', 'jvm', { jdwp: 5005 }],
  ['', 'nodejs', { devtools: 9229 }],
  ['', 'python', { dap: 5678 }],
  ['', 'go', { dlv: 56268 }],
];
for (const [given, runtime, ports = { x: 4000 }] of runtimes)
  test(`annotation: H16, runtime "${given}" with ${Object.keys(ports)[0]} is ${runtime}`, () => {
    const seen = look(podWith({ web: { runtime: given, ports } }));
    assert.equal(seen.runtime, runtime);
    assert.equal(seen.verdict, 'live');
  });

for (const runtime of ['dart', 'unknown', 'test', 'constructor', '__proto__'])
  test(`annotation: runtime ${runtime} is listed and unsupported, its port stays usable`, () => {
    const seen = look(podWith({ web: { runtime, ports: { vm: 8181 } } }));
    assert.deepEqual(pick(seen, { runtime: 0, port: 0, verdict: 0, listed: 0 }), {
      runtime,
      port: 8181,
      verdict: 'not-debuggable',
      listed: true,
    });
    assert.match(seen.reason!, /No debugger is known/);
  });

for (const port of [0, -1, 65536, 70000, 9229.5, 'x', '', null, true, [9229]])
  test(`annotation: port ${JSON.stringify(port)} is refused and said`, () => {
    const seen = look(podWith({ web: { runtime: 'nodejs', ports: { devtools: port } } }));
    assert.equal(seen.port, undefined);
    assert.equal(seen.verdict, 'port-unknown');
    assert.match(seen.reason!, /devtools, which is no port number/);
    assert.ok(seen.listed);
  });

test('annotation: a refused port falls back to the flags', () => {
  const seen = look(
    podWith(
      { web: { runtime: 'go', ports: { dlv: 0 } } },
      { command: ['dlv', 'exec', '--headless', '--continue', '--listen', ':40000', '/app'] },
    ),
  );
  assert.equal(seen.port, 40000);
  assert.match(seen.reason!, /no port number/);
});

test('annotation: pydevd is listed with what to do instead', () => {
  const seen = look(podWith({ web: { runtime: 'python', ports: { pydevd: 12345 } } }));
  assert.deepEqual(pick(seen, { verdict: 0, port: 0, listed: 0 }), {
    verdict: 'not-debuggable',
    port: 12345,
    listed: true,
  });
  assert.match(seen.reason!, /--protocols=dap/);
});

test('annotation: it wins over flags, and a difference is said', () => {
  const seen = look(
    podWith({ web: { runtime: 'nodejs', ports: { devtools: 9230 } } }, { command: ['node', '--inspect=9229', 'a.js'] }),
  );
  assert.equal(seen.port, 9230);
  assert.match(seen.reason!, /annotation says port 9230, but command has --inspect=9229 says 9229/);
});

test('annotation: the flags still tell that the program waits', () => {
  const command = ['java', '-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=5005', '-jar', 'a.jar'];
  assert.equal(look(podWith({ web: { runtime: 'jvm', ports: { jdwp: 5005 } } }, { command })).verdict, 'suspended');
});

test('annotation: a debug command without a program crashes, whatever the annotation says', () => {
  const seen = look(
    podWith({ web: { runtime: 'nodejs', ports: { devtools: 9229 } } }, { command: ['node', '--inspect=0.0.0.0:9229'] }),
  );
  assert.equal(seen.verdict, 'crash');
  assert.equal(seen.port, 9229);
  assert.match(seen.reason!, /no program after the debug flag.*CMD/);
});

test('annotation: the working directory of the container stands in', () =>
  assert.equal(look(podWith({ web: { runtime: 'nodejs' } }, { workingDir: '/srv' })).workingDir, '/srv'));

const broken: [string, unknown, RegExp][] = [
  ['no JSON', '{web: {runtime: nodejs}}', /is no JSON/],
  ['trailing comma', '{"web":{"runtime":"nodejs"},}', /is no JSON/],
  ['empty', '', /is no JSON/],
  ['null', 'null', /no object of containers/],
  ['an array', '[]', /no object of containers/],
  ['a number', '7', /no object of containers/],
  ['container null', { web: null }, /entry is no object/],
  ['container a string', { web: 'jvm' }, /entry is no object/],
  ['unknown container', { api: { runtime: 'jvm' } }, /names api, which is no container/],
  ['too long', { web: { runtime: 'jvm', artifact: 'x'.repeat(70_000) } }, /longer than/],
];
for (const [name, value, want] of broken)
  test(`annotation: ${name} gives one problem and falls back to the flags`, () => {
    const pod = podWith(value, { command: ['node', '--inspect', 'a.js'] });
    const problems = annotationProblems(pod);
    assert.equal(problems.length, 1);
    assert.match(problems[0]!.text, want);
    assert.equal(look(pod).evidence, 'flags');
    assert.equal(look(pod).port, 9229);
  });

test('annotation: a good one has no problem', () =>
  assert.deepEqual(annotationProblems(podWith({ web: { runtime: 'jvm' } })), []));

test('annotation: H14, the same bad value in many frames and pods is told once', () => {
  const once = new Once();
  const told = Array.from({ length: 1000 }, (_, i) => podWith('{oops', {}, `web-${i % 3}`)).flatMap(annotationProblems);
  assert.equal(told.filter(({ key }) => once.first(key)).length, 1);
  assert.equal(annotationProblems(podWith('{other')).filter(({ key }) => once.first(key)).length, 1);
});

test('annotation: H17, two containers with neighbouring ports are two that can be attached', () => {
  const { metadata } = podWith({
    web: { runtime: 'jvm', ports: { jdwp: 5005 } },
    side: { runtime: 'jvm', ports: { jdwp: 5006 } },
  });
  const pod: Pod = { metadata: metadata!, spec: { containers: [{ name: 'web' }, { name: 'side' }] } };
  const seen = pod.spec!.containers!.map(spec => detect(spec, pod));
  assert.deepEqual(
    seen.map(({ verdict, port, reason }) => [verdict, port, reason]),
    [
      ['live', 5005, undefined],
      ['live', 5006, undefined],
    ],
  );
});

test('annotation: H10, a container that the pod does not have is said, and the others count', () => {
  const pod = podWith({ web: { runtime: 'jvm', ports: { jdwp: 5005 } }, old: { runtime: 'jvm' } });
  assert.equal(look(pod).port, 5005);
  assert.match(annotationProblems(pod)[0]!.text, /names old, which is no container of the pod/);
});

test('once: remembers the latest keys and forgets the oldest', () => {
  const once = new Once(2);
  assert.deepEqual(
    ['a', 'b', 'a', 'c', 'a', 'b'].map(key => once.first(key)),
    [true, true, false, true, false, true],
  );
});

const pick = (from: object, keys: object) =>
  Object.fromEntries(Object.keys(keys).map(key => [key, (from as Record<string, unknown>)[key]]));

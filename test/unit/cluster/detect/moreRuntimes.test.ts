import assert from 'node:assert/strict';
import test from 'node:test';
import { detect } from '../../../../src/cluster/detect/detect.ts';
import { mayBeListed } from '../../../../src/cluster/watch/prefilter.ts';
import { checkSetups, env, type Setup } from '../../../support/setups.ts';

const run = (
  name: string,
  line: string,
  want: string,
  reason?: RegExp,
  values: Record<string, string> = {},
): Setup => ({
  name: `${name}: ${line}`,
  container: { command: line.split(' '), ...(Object.keys(values).length > 0 ? { env: env(values) } : {}) },
  want,
  ...(reason ? { reason } : {}),
});

const setups: readonly Setup[] = [
  run('deno', 'deno run --inspect=0.0.0.0:9229 a.ts', 'deno 9229 live'),
  run('deno', 'deno run -A --inspect a.ts', 'deno 9229 live'),
  run('deno', 'deno task --inspect-brk=0.0.0.0:9300 start', 'deno 9300 suspended'),
  run('deno', 'deno run --inspect-wait=127.0.0.1:9230 a.ts', 'deno 9230 suspended'),
  run('deno', 'deno run a.ts --inspect=9229', 'deno - not-debuggable', /Nothing/),
  run('deno', 'deno run --inspect=0.0.0.0:0 a.ts', 'deno - port-unknown', /random port/),
  run('bun', 'bun --inspect=0.0.0.0:6499/debug index.ts', 'bun 6499 live'),
  run('bun', 'bun run --inspect=ws://0.0.0.0:7000/x index.ts', 'bun 7000 live'),
  run('bun', 'bun --inspect=7001/x index.ts', 'bun 7001 live'),
  run('bun', 'bun --inspect=/x index.ts', 'bun 6499 live'),
  run('bun', 'bun --inspect-brk=[::]:7002/x index.ts', 'bun 7002 suspended'),
  run('bun', 'bun --inspect-wait=0.0.0.0/x index.ts', 'bun 6499 suspended'),
  run('bun', 'bun --inspect=0.0.0.0:6499 index.ts', 'bun 6499 port-unknown', /makes up a path/),
  run('bun', 'bun --inspect index.ts', 'bun 6499 port-unknown', /--inspect=0\.0\.0\.0:6499\/debug/),
  run('bun', 'bun --inspect=0/x index.ts', 'bun - port-unknown', /random port/),
  run('bun', 'bun --inspect=unix:///tmp/x index.ts', 'bun - not-debuggable', /Unix socket/),
  run('bun', 'bun --inspect=$PORT/x index.ts', 'bun - port-unknown', /does not show/),
  run('bun', 'bun index.ts --inspect=0.0.0.0:6499/debug', 'bun - not-debuggable', /Nothing/),
  run('ruby', 'rdbg --open --host 0.0.0.0 --port 12345 -c -- ruby app.rb', 'ruby 12345 suspended'),
  run('ruby', 'rdbg -n -O --port=12345 app.rb', 'ruby 12345 live'),
  run('ruby', 'bundle exec rdbg -n --open --port 12346 -c -- bin/rails s', 'ruby 12346 live'),
  run('ruby', 'rdbg --nonstop --open -c -- rails s', 'ruby - not-debuggable', /Unix socket/),
  run('ruby', 'rdbg -c -- ruby app.rb', 'ruby - not-debuggable', /Nothing/),
  run('ruby', 'ruby app.rb --port 12345', 'ruby - not-debuggable', /Nothing/),
  run('ruby', 'rdbg --open --port 12345 -c -- ruby app.rb --port 80', 'ruby 12345 suspended'),
  run('ruby', 'bin/rails server', 'ruby 12347 live', undefined, { RUBY_DEBUG_PORT: '12347' }),
  run('ruby', 'rdbg -n -c -- ruby a.rb', 'ruby 1240 live', undefined, {
    RUBY_DEBUG_OPEN: 'true',
    RUBY_DEBUG_PORT: '1240',
  }),
  run('gdbserver', 'gdbserver :1234 /app/server --port 80', 'native 1234 suspended'),
  run('gdbserver', 'gdbserver --once 0.0.0.0:2000 ./app', 'native 2000 suspended'),
  run('gdbserver', 'gdbserver --multi :2001', 'native 2001 live'),
  run('gdbserver', 'gdbserver --attach localhost:2002 1', 'native 2002 live'),
  run('gdbserver', 'gdbserver --wrapper env LD_PRELOAD=x.so -- :2003 ./app', 'native 2003 suspended'),
  run('gdbserver', 'gdbserver /dev/ttyS0 ./app', 'native - not-debuggable', /no TCP port/),
  run('gdbserver', 'gdbserver - ./app', 'native - not-debuggable', /no TCP port/),
  run('gdbserver', 'gdbserver --wrapper env', 'native - not-debuggable', /no TCP port/),
  run('lldb-server', 'lldb-server gdbserver *:2004 -- ./app', 'native 2004 suspended'),
  run('lldb-server', 'lldb-server g 0.0.0.0:2005 --attach 1', 'native 2005 suspended'),
  run('lldb-server', 'lldb-server platform --listen *:2006', '- - not-debuggable', /Nothing/),
  {
    name: 'a port named gdbserver',
    container: { ports: [{ name: 'gdbserver', containerPort: 1234 }] },
    want: 'native 1234 live',
  },
  {
    name: 'a port named rdbg',
    container: { ports: [{ name: 'rdbg', containerPort: 12345 }] },
    want: 'ruby 12345 live',
  },
];
checkSetups(setups);

for (const { name, container } of setups)
  test(`prefilter: ${name} passes if it is listed`, () => {
    const web = { name: 'web', ...container };
    const pod = { metadata: { name: 'web' }, spec: { containers: [web] } };
    if (detect(web, pod).listed) assert.ok(mayBeListed(JSON.stringify(pod)));
  });

test('bun: the path of the inspector is known, also beside an annotation', () => {
  const web = { name: 'web', command: ['bun', '--inspect=0.0.0.0:6499/debug', 'index.ts'] };
  const annotations = { 'debug.cloud.google.com/config': '{"web":{"runtime":"bun","ports":{"devtools":6499}}}' };
  for (const metadata of [{}, { annotations }])
    assert.equal(detect(web, { metadata, spec: { containers: [web] } }).path, '/debug');
});

for (const [runtime, ports, port] of [
  ['deno', { devtools: 9229 }, 9229],
  ['rust', { gdbserver: 1234 }, 1234],
  ['ruby', { rdbg: 12345 }, 12345],
] as const)
  test(`an annotation with the runtime ${runtime} is live`, () => {
    const web = { name: 'web' };
    const annotations = { 'debug.cloud.google.com/config': JSON.stringify({ web: { runtime, ports } }) };
    const seen = detect(web, { metadata: { annotations }, spec: { containers: [web] } });
    assert.deepEqual([seen.verdict, seen.port], ['live', port]);
  });

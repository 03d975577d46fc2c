import assert from 'node:assert/strict';
import test from 'node:test';
import { commandsOf } from '../../../../src/cluster/detect/commands.ts';
import { expand, variablesOf } from '../../../../src/cluster/detect/expand.ts';
import { listenOf, splitOptions } from '../../../../src/cluster/detect/options.ts';
import { shellCommands } from '../../../../src/cluster/detect/shell.ts';

const variables = new Map([
  ['PORT', '9230'],
  ['OPTS', '-Xmx1g  -Da=b'],
  ['EMPTY', ''],
]);

const references: [string, string][] = [
  ['--inspect=$(PORT)', '--inspect=9230'],
  ['$$(PORT)', '$(PORT)'],
  ['$$$(PORT)', '$9230'],
  ['$(NOPE)', '$(NOPE)'],
  ['$PORT ${PORT} $', '$PORT ${PORT} $'],
  ['$(PORT', '$(PORT'],
  ['$(EMPTY)x', 'x'],
];
for (const [text, want] of references) test(`$(VAR): ${text}`, () => assert.equal(expand(text, variables), want));

test('variables see those before them, not those after, and not what the pod hides', () => {
  const env = [
    { name: 'A', value: '$(B)' },
    { name: 'B', value: '1' },
    { name: 'C', value: '$(B)2' },
    { name: 'D', valueFrom: { configMapKeyRef: {} } },
    { name: 'E', value: '$(D)' },
  ];
  assert.deepEqual(Object.fromEntries(variablesOf({ env })), { A: '$(B)', B: '1', C: '12', D: '$(D)', E: '$(D)' });
});

const scripts: [string, string[][]][] = [
  ['node app.js', [['node', 'app.js']]],
  ['a && b || c; d | e & f\ng', [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g']]],
  [`a 'b c' "d e" f\\ g`, [['a', 'b c', 'd e', 'f g']]],
  [`a "" '' b`, [['a', '', '', 'b']]],
  [`a "x\\"y" 'x"y'`, [['a', 'x"y', 'x"y']]],
  ['java $OPTS -jar a.jar', [['java', '-Xmx1g', '-Da=b', '-jar', 'a.jar']]],
  ['java "$OPTS"', [['java', '-Xmx1g  -Da=b']]],
  ["java '$OPTS'", [['java', '$OPTS']]],
  ['java ${OPTS} $EMPTY x', [['java', '-Xmx1g', '-Da=b', 'x']]],
  ['java $NOPE x', [['java', '$NOPE', 'x']]],
  ['node --inspect=${DEBUG_PORT:-9229} a.js', [['node', '--inspect=9229', 'a.js']]],
  ['node --inspect=${PORT:-9229} a.js', [['node', '--inspect=9230', 'a.js']]],
  ['node ${PORT:+--inspect} a.js', [['node', '--inspect', 'a.js']]],
  ['node ${NOPE:+--inspect} a.js', [['node', 'a.js']]],
  ['P=1; export Q="2 3"; a $P $Q', [['a', '1', '2', '3']]],
  ['P=$OPTS; a "$P"', [['a', '-Xmx1g  -Da=b']]],
  ['a $(cat /x "y z") `date +%s`', [['a', '$(cat/x"yz")', '`date+%s`']]],
  ['a >out.log 2>&1 <in', [['a']]],
  ['a # b c\nd', [['a'], ['d']]],
  ['if [ -n "$X" ]; then a; else b; fi', [['[', '-n', '$X', ']'], ['a'], ['b']]],
  ['for i in 1 2; do a; done', [['a']]],
  ['{ a; } && (b)', [['a'], ['b']]],
  ['a \\\n  b', [['a', 'b']]],
  ['exec "$@"', [['exec', 'node', 'x y.js']]],
  ['exec $1', [['exec', 'node']]],
  ["a 'open", [['a', 'open']]],
  ['a "open', [['a', 'open']]],
  ['', []],
];
for (const [script, want] of scripts)
  test(`shell: ${script}`, () => {
    const seen = shellCommands(script, variables, ['node', 'x y.js']);
    assert.deepEqual(
      seen.map(({ words }) => [...words]).filter(words => words.length > 0),
      want,
    );
  });

test('shell: an assignment in front belongs to its command alone', () => {
  const [first, second] = shellCommands('X=1 a; b', new Map([['X', '0']]), []);
  assert.equal(first!.variables.get('X'), '1');
  assert.equal(second!.variables.get('X'), '0');
});

const lines: [string[], boolean, string[]][] = [
  [['node', 'a.js'], true, ['node: a.js']],
  [['tini', '--', 'node', 'a.js'], true, ['node: a.js']],
  [['env', 'A=b', 'java', '-jar', 'x'], true, ['java: -jar x']],
  [['sh', '-c', 'cd /app && exec node a.js'], true, ['cd: /app', 'node: a.js']],
  [['/bin/bash', '-lc', 'sh -c "node a.js"'], true, ['node: a.js']],
  [['tini', 'sh', '-c', 'exec "$@"', 'sh', 'node', 'a.js'], true, ['node: a.js']],
  [['sh', 'run.sh', 'node', 'a.js'], true, ['node: a.js']],
  [
    ['nodemon', '--exec', 'node --inspect', 'a.js'],
    true,
    ['nodemon: --exec node --inspect a.js', 'node: --inspect a.js'],
  ],
  [['poetry', 'run', 'python', '-m', 'x'], true, ['python: -m x']],
  [['echo', 'node', '--inspect'], true, ['echo: node --inspect']],
  [['--inspect', 'a.js'], false, [': --inspect a.js']],
  [['node', 'a.js'], false, ['node: a.js']],
  [[], false, [': ']],
];
for (const [words, entrypoint, want] of lines)
  test(`command: ${words.join(' ')}`, () =>
    assert.deepEqual(
      commandsOf(words, variables, entrypoint).map(({ program, words: rest }) => `${program}: ${rest.join(' ')}`),
      want,
    ));

test('command: shells within shells end somewhere', () => {
  const nested = Array.from({ length: 20 }).reduce<string>(script => `sh -c ${JSON.stringify(script)}`, 'node a.js');
  assert.ok(commandsOf(['sh', '-c', nested], variables, true).length < 10);
});

const options: [string, string[]][] = [
  ['-a  -b\n-c\t-d', ['-a', '-b', '-c', '-d']],
  [`-Dx="a b" '-c d'`, ['-Dx=a b', '-c d']],
  ['', []],
];
for (const [text, want] of options)
  test(`options: ${JSON.stringify(text)}`, () => assert.deepEqual(splitOptions(text), want));

const addresses: [string, string | number][] = [
  ['9229', 9229],
  [':9229', 9229],
  ['*:5005', 5005],
  ['0.0.0.0:5005', 5005],
  ['[::]:5005', 5005],
  ['[::1]', 'host'],
  ['localhost', 'host'],
  ['0', 'random'],
  ['*:0', 'random'],
  ['70000', 'invalid'],
  ['$(PORT)', 'unknown'],
  ['0.0.0.0:$PORT', 'unknown'],
];
for (const [text, want] of addresses)
  test(`address: ${text}`, () => {
    const seen = listenOf(text);
    assert.equal(seen.kind === 'port' ? seen.port : seen.kind, want);
  });

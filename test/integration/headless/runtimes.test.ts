// What `config` and `explain` say of a container of each runtime, and of a workspace that has recipes of its own.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { runHeadless } from '../../support/headless.ts';

const folder = mkdtempSync(join(tmpdir(), 'breakpod-runtimes-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Case {
  readonly command: readonly string[];
  readonly env?: readonly { name: string; value: string }[];
  /** Fields of the configuration, among others. */
  readonly configured: Readonly<Record<string, unknown>>;
}

const jdwp = '-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:5005';

const cases: Readonly<Record<string, Case>> = {
  jvm: {
    command: ['java', '-jar', 'a.jar'],
    env: [{ name: 'JAVA_TOOL_OPTIONS', value: jdwp }],
    configured: { type: 'java', hostName: '127.0.0.1', port: 5005 },
  },
  nodejs: {
    command: ['node', '--inspect=0.0.0.0:9231', 'a.js'],
    configured: { type: 'node', address: '127.0.0.1', port: 9231, autoAttachChildProcesses: false },
  },
  python: {
    command: ['python', '-m', 'debugpy', '--listen', '0.0.0.0:5678', 'a.py'],
    configured: { type: 'debugpy', connect: { host: '127.0.0.1', port: 5678 } },
  },
  go: {
    command: ['dlv', 'exec', '--headless', '--accept-multiclient', '--continue', '--listen=:56268', '/app'],
    configured: { type: 'go', mode: 'remote', debugAdapter: 'dlv-dap', host: '127.0.0.1', port: 56_268 },
  },
  deno: {
    command: ['deno', 'run', '--inspect=0.0.0.0:9229', 'a.ts'],
    configured: { type: 'node', address: '127.0.0.1', port: 9229 },
  },
  bun: {
    command: ['bun', '--inspect=0.0.0.0:6499/debug', 'a.ts'],
    configured: { type: 'bun', url: 'ws://127.0.0.1:6499/debug' },
  },
  ruby: {
    command: ['rdbg', '--open', '--host', '0.0.0.0', '--port', '12345', '-c', '--', 'ruby', 'a.rb'],
    configured: { type: 'rdbg', debugPort: '127.0.0.1:12345' },
  },
};

const file = join(folder, 'pod.json');
writeFileSync(
  file,
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'shop', uid: 'u' },
    spec: {
      containers: Object.entries(cases).map(([name, { command, env = [] }]) => ({ name, image: 'i', command, env })),
    },
    status: {
      phase: 'Running',
      containerStatuses: Object.keys(cases).map(name => ({
        ...{ name, ready: true, restartCount: 0, containerID: `containerd://${name}` },
        state: { running: { startedAt: '2026-12-01T10:00:00Z' } },
      })),
    },
  }),
);

const about = (command: string, workspace: string) =>
  runHeadless([command, '--from', file, '--pod', 'p', '--workspace', workspace]);

const workspace = (settings?: string): string => {
  const made = mkdtempSync(join(folder, 'workspace-'));
  if (settings === undefined) return made;
  mkdirSync(join(made, '.vscode'));
  writeFileSync(join(made, '.vscode', 'settings.json'), settings);
  return made;
};

test('config: what a click would start, for each runtime', async () => {
  const { code, lines, stderr } = await about('config', workspace());
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    lines.map(({ container }) => container),
    Object.keys(cases),
  );
  for (const { container, configuration, reason } of lines) {
    const { configured } = cases[String(container)]!;
    assert.ok(configuration, `${String(container)}: ${String(reason)}`);
    const fields = configuration as Record<string, unknown>;
    assert.deepEqual(Object.fromEntries(Object.keys(configured).map(key => [key, fields[key]])), configured);
    assert.equal(fields['request'], 'attach');
  }
});

test('explain: for each runtime the chain up to its port, and the debugger that is needed', async () => {
  const { code, lines, stderr } = await about('explain', workspace());
  assert.equal(code, 0, stderr);
  for (const { container, steps } of lines) {
    const chain = new Map((steps as { name: string; ok: unknown }[]).map(({ name, ok }) => [name, ok]));
    for (const name of ['evidence', 'pod', 'port'])
      assert.equal(chain.get(name), true, `${String(container)}: ${name}`);
    assert.equal(chain.get('debugger'), 'unknown', 'only VS Code knows what is installed');
  }
});

test('config: recipes of the workspace go before those that Breakpod knows', async () => {
  const settings = `{
    // as people write it
    "breakpod.recipes": {
      "nodejs": { "configuration": { "skipFiles": ["<node_internals>/**"] } },
      "go": { "type": "my-go", "configuration": { "target": "\${host}:\${port}" } },
      "ruby": { "type": 7 },
    },
  }`;
  const { code, lines, stderr } = await about('config', workspace(settings));
  assert.equal(code, 0);
  const of = (name: string) =>
    lines.find(({ container }) => container === name)!['configuration'] as Record<string, unknown>;
  assert.deepEqual(of('nodejs')['skipFiles'], ['<node_internals>/**']);
  assert.deepEqual([of('go')['type'], of('go')['target']], ['my-go', '127.0.0.1:56268']);
  assert.equal(of('ruby')['type'], 'rdbg', 'a bad entry does not count');
  assert.match(stderr, /breakpod\.recipes.*"ruby"/);
});

test('config: settings that are no JSON are said, and all else goes on', async () => {
  const { code, lines, stderr } = await about('config', workspace('{ "breakpod.recipes": '));
  assert.equal(code, 0);
  assert.equal(lines.length, Object.keys(cases).length);
  assert.match(stderr, /settings\.json does not count: /);
});

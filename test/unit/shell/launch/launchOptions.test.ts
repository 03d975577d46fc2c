import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { inRoot } from '../../../../.ci/lib/paths.ts';
import { rawText, UserError } from '../../../../src/core/errors.ts';
import { autoAttachRules } from '../../../../src/core/runs.ts';
import { fields } from '../../../../src/shell/fields.ts';
import { attachOf, defaultsOf, launchOf, type LaunchPlace } from '../../../../src/shell/launch/launchOptions.ts';

const packageJSON = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as unknown;
const folder = path.resolve('/shop');
const home = path.resolve('/home/me');
const place: LaunchPlace = { folder, home, defaults: defaultsOf(packageJSON) };

/** The attributes that the manifest has for a request. */
const attributesOf = (request: 'launch' | 'attach') => {
  const debuggers = fields(fields(packageJSON)['contributes'])['debuggers'] as readonly unknown[];
  const own = debuggers.find(one => fields(one)['type'] === 'breakpod');
  const schema = fields(fields(fields(own)['configurationAttributes'])[request]);
  return schema['properties'] as Readonly<Record<string, { enum?: string[]; items?: { enum?: string[] } }>>;
};

test('a configuration that says nothing has the defaults of the manifest', () => {
  const { launch, rules, cleanUpTimeoutMs, drainTimeoutMs } = launchOf({}, place);
  assert.deepEqual(launch, {
    name: 'Skaffold',
    file: path.join(folder, 'skaffold.yaml'),
    binary: 'skaffold',
    modules: [],
    profiles: [],
    args: [],
    env: {},
    portForward: ['user', 'services'],
    cleanUp: true,
  });
  assert.deepEqual(
    [rules.autoAttach, rules.artifacts.size, cleanUpTimeoutMs, drainTimeoutMs],
    ['always', 0, 30_000, 2000],
  );
  const attach = attachOf({ name: 'Cluster', port: null, kubeContext: ' ' }, place);
  assert.deepEqual(attach, {
    name: 'Cluster',
    rules: { autoAttach: 'never', artifacts: new Map() },
    drainTimeoutMs: 2000,
  });
});

test('all that can be said of a launch', () => {
  const { launch, rules, cleanUpTimeoutMs } = launchOf(
    {
      name: 'Shop',
      skaffoldFile: 'deploy/../skaffold.dev.yaml',
      skaffoldPath: '~/bin/skaffold',
      modules: ['cart'],
      profiles: ['dev', '-gcb'],
      args: ['--tail=false'],
      env: { A: '' },
      kubeContext: 'kind-shop',
      namespace: 'shop',
      portForward: ['user', 'user'],
      autoAttach: 'ask',
      cleanUp: false,
      cleanUpTimeout: 0.5,
      artifacts: [
        { image: 'cart', autoAttach: 'never' },
        { image: 'web', configuration: { sourceMaps: false } },
      ],
    },
    { ...place, kubeconfig: '/kube/config' },
  );
  assert.deepEqual(launch, {
    name: 'Shop',
    file: path.join(folder, 'skaffold.dev.yaml'),
    binary: path.join(home, 'bin/skaffold'),
    modules: ['cart'],
    profiles: ['dev', '-gcb'],
    args: ['--tail=false'],
    env: { A: '' },
    kubeconfig: '/kube/config',
    kubeContext: 'kind-shop',
    namespace: 'shop',
    portForward: ['user'],
    cleanUp: false,
  });
  assert.deepEqual(
    [...rules.artifacts],
    [
      ['cart', { autoAttach: 'never' }],
      ['web', { configuration: { sourceMaps: false } }],
    ],
  );
  assert.equal(cleanUpTimeoutMs, 500);
});

/** Throws unless the configuration is refused with words for this attribute. */
const refuses = (read: () => unknown, attribute: string, expected: RegExp, cause = /^it is /) =>
  assert.throws(read, error => {
    assert.ok(error instanceof UserError, String(error));
    assert.equal(error.code, 'launch-attribute');
    assert.ok(error.message.startsWith(`"${attribute}" of the launch configuration "x" has to be `), error.message);
    assert.match(error.message, expected);
    assert.match(rawText(error.cause), cause);
    assert.match(error.remedy!, /launch\.json/);
    return true;
  });

const wrong: readonly { config: Record<string, unknown>; attribute: string; expected: RegExp }[] = [
  { config: { skaffoldFile: 7 }, attribute: 'skaffoldFile', expected: /text/ },
  { config: { modules: 'cart' }, attribute: 'modules', expected: /list of text/ },
  { config: { profiles: ['dev', ''] }, attribute: 'profiles', expected: /list of text/ },
  { config: { env: { PORT: 80 } }, attribute: 'env.PORT', expected: /in quotes/ },
  { config: { env: ['A=1'] }, attribute: 'env', expected: /an object/ },
  { config: { portForward: ['users'] }, attribute: 'portForward', expected: /user, services, pods, debug, off/ },
  { config: { portForward: true }, attribute: 'portForward', expected: /user, services, pods, debug, off/ },
  { config: { portForward: ['off', 'user'] }, attribute: 'portForward', expected: /"off" alone/ },
  { config: { autoAttach: 'Always' }, attribute: 'autoAttach', expected: /always, ask, ifBreakpoints, never/ },
  { config: { cleanUp: 'yes' }, attribute: 'cleanUp', expected: /true or false/ },
  { config: { cleanUpTimeout: -1 }, attribute: 'cleanUpTimeout', expected: /not negative/ },
  { config: { drainTimeout: Number.NaN }, attribute: 'drainTimeout', expected: /not negative/ },
  { config: { artifacts: {} }, attribute: 'artifacts', expected: /list of objects/ },
  { config: { artifacts: ['web'] }, attribute: 'artifacts[0]', expected: /an object/ },
  { config: { artifacts: [{}] }, attribute: 'artifacts[0].image', expected: /name of an artifact/ },
  { config: { artifacts: [{ image: 'a' }, { image: 'a' }] }, attribute: 'artifacts[1].image', expected: /another/ },
  {
    config: { artifacts: [{ image: 'a', configuration: 1 }] },
    attribute: 'artifacts[0].configuration',
    expected: /object/,
  },
];

for (const { config, attribute, expected } of wrong)
  test(`refused: ${JSON.stringify(config)}`, () =>
    refuses(() => launchOf({ name: 'x', ...config }, place), attribute, expected));

for (const port of [0, 65_536, 1.5, '50051'])
  test(`refused: port ${JSON.stringify(port)}`, () =>
    refuses(() => attachOf({ name: 'x', port }, place), 'port', /1 to 65535/));

test('without an open folder a relative path is refused, an absolute one taken', () => {
  const nowhere = { home, defaults: place.defaults };
  const file = path.resolve('/shop/skaffold.yaml');
  assert.equal(launchOf({ skaffoldFile: file }, nowhere).launch.file, file);
  refuses(() => launchOf({ name: 'x' }, nowhere), 'skaffoldFile', /no folder is open/, /workspaceFolder/);
  refuses(() => launchOf({ name: 'x', skaffoldFile: file, skaffoldPath: './s' }, nowhere), 'skaffoldPath', /absolute/);
});

const source = readFileSync(inRoot('src', 'shell', 'launch', 'launchOptions.ts'), 'utf8');

test('the code reads the attributes that the manifest has, and no others', () => {
  for (const [request, read] of [
    ['launch', launchOf],
    ['attach', attachOf],
  ] as const)
    for (const attribute of Object.keys(attributesOf(request)))
      refuses(() => read({ name: 'x', [attribute]: 7.5e99 }, place), attribute, /./);
  const read = new Set([...source.matchAll(/\bread(?:\.\w+\(|, )'(\w+)'/g)].map(([, key]) => key!));
  const declared = new Set(Object.keys({ ...attributesOf('launch'), ...attributesOf('attach') }));
  assert.deepEqual(read, declared);
});

test('the manifest offers the values that the code takes', () => {
  for (const request of ['launch', 'attach'] as const)
    assert.deepEqual(attributesOf(request)['autoAttach']?.enum, [...autoAttachRules]);
  for (const mode of attributesOf('launch')['portForward']!.items!.enum!)
    assert.deepEqual(launchOf({ portForward: [mode] }, place).launch.portForward, [mode]);
});

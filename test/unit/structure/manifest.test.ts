import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import test from 'node:test';
import { bundle, bundleFile, sentencesIn } from '../../../.ci/l10n.ts';
import { inRoot } from '../../../.ci/lib/paths.ts';
import { commands, contextKeys, contextWords, settings, situations, views } from '../../../src/shell/ids.ts';
import { sourceFiles } from './imports.ts';
import { clauses, linkedCommands, manifest, manifestText, menuItems, sentences } from './manifest.ts';

const { contributes } = manifest;
const sorted = (values: Iterable<string>): string[] => [...values].sort();
const unique = (values: Iterable<string>): string[] => sorted(new Set(values));

/** The code that uses the ids, without the file that declares them. */
const code = [...sourceFiles()]
  .filter(([file]) => file !== 'shell/ids.ts')
  .map(([, text]) => text)
  .join('\n');

/** Names of one record in ids.ts that no code reads. */
const unused = (record: string, ids: Readonly<Record<string, string>>): string[] =>
  Object.entries(ids)
    .filter(([name, id]) => !code.includes(`${record}.${name}`) && !code.includes(`'${id}'`))
    .map(([, id]) => id);

const lists: { name: string; declared: readonly string[]; contributed: readonly string[] }[] = [
  {
    name: 'commands',
    declared: Object.values(commands),
    contributed: contributes.commands.map(({ command }) => command),
  },
  {
    name: 'views',
    declared: Object.values(views),
    contributed: Object.values(contributes.views).flatMap(list => list.map(({ id }) => id)),
  },
  {
    name: 'settings',
    declared: Object.values(settings),
    contributed: Object.keys(contributes.configuration.properties),
  },
];

for (const { name, declared, contributed } of lists)
  test(`${name}: the manifest and the code have the same, each once`, () => {
    assert.deepEqual(sorted(contributed), sorted(declared));
    assert.deepEqual(sorted(contributed), unique(contributed));
  });

const records = { commands, views, settings, contextKeys };
for (const [name, ids] of Object.entries(records))
  test(`${name}: the code uses every one`, () => assert.deepEqual(unused(name, ids), []));

test('every id that the code spells out is declared', () => {
  const declared = new Set(Object.values(records).flatMap(ids => Object.values(ids) as string[]));
  const spelled = [...code.matchAll(/'(breakpod\.[\w.]+)'/g)].map(([, id]) => id!);
  assert.deepEqual(
    unique(spelled).filter(id => !declared.has(id)),
    [],
  );
});

test('every command has a category and a title from package.nls.json', () => {
  const wrong = contributes.commands.filter(
    ({ category, title }) => category !== 'Breakpod' || !/^%[\w.]+%$/.test(title),
  );
  assert.deepEqual(wrong, []);
});

test('menus and links lead to commands that exist', () => {
  const known = new Set<string>(Object.values(commands));
  const used = [...menuItems.map(({ command }) => command), ...linkedCommands.filter(id => id.startsWith('breakpod.'))];
  assert.deepEqual(
    unique(used).filter(id => !known.has(id)),
    [],
  );
});

test('a command that the palette hides can be reached elsewhere', () => {
  const palette = contributes.menus['commandPalette'] ?? [];
  const hidden = palette.filter(({ when }) => when === 'false').map(({ command }) => command);
  const elsewhere = Object.entries(contributes.menus).filter(([menu]) => menu !== 'commandPalette');
  const reachable = new Set([
    ...elsewhere.flatMap(([, items]) => items.map(({ command }) => command)),
    ...linkedCommands,
  ]);
  assert.deepEqual(
    hidden.filter(id => !reachable.has(id)),
    [],
  );
});

test('conditions read only context keys that are declared, and every key is read', () => {
  const read = clauses.flatMap(clause => clause.match(/\bbreakpod\.\w+/g) ?? []);
  const keys = unique(read).filter(id => !(Object.values(views) as string[]).includes(id));
  assert.deepEqual(keys, sorted(Object.values(contextKeys)));
});

test('conditions look for the words of a row that the code can give, and for each of them', () => {
  const words = clauses
    .flatMap(clause => [...clause.matchAll(/viewItem =~ \/(.*?)\/(?=\s|\)|$)/g)].map(([, pattern]) => pattern!))
    .flatMap(pattern => pattern.replaceAll('\\b', ' ').match(/\w+/g) ?? []);
  assert.deepEqual(unique(words), sorted(contextWords));
});

test('every situation of an empty view has its welcome text', () => {
  const { situation } = contextKeys;
  const texts = contributes.viewsWelcome.map(({ when }) => when?.match(`${situation} == '([\\w-]+)'`)?.[1]);
  assert.deepEqual(sorted(texts.filter(one => one !== undefined)), sorted(situations));
});

test('every sentence of package.nls.json is used, and every one that is used is there', () => {
  const used = [...manifestText.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key!);
  assert.deepEqual(unique(used), sorted(Object.keys(sentences)));
  const fixed = [...manifestText.matchAll(/"(?:title|markdownDescription|contents|description)": "([^%"]+)"/g)];
  assert.deepEqual(
    fixed.map(([, text]) => text),
    ['Breakpod'],
    'sentences in the manifest itself, beside the name',
  );
});

test('every setting has a description and a default', () => {
  const wrong = Object.entries(contributes.configuration.properties).filter(
    ([, { default: value, description, markdownDescription }]) =>
      value === undefined || (description ?? markdownDescription) === undefined,
  );
  assert.deepEqual(wrong, []);
});

test('the sentences of the code are constant, and all of them are in the bundle that translators start from', () => {
  assert.equal(readFileSync(bundleFile, 'utf8'), bundle(), 'made by: npm run l10n');
  assert.equal(inRoot(manifest.l10n), dirname(bundleFile));
  assert.throws(() => sentencesIn('t(`Found ${what}`)', 'a.ts'), /a\.ts: no literal sentence/);
  assert.deepEqual(sentencesIn(`l10n.t('It\\'s "{0}"', name) + t(\n  "on",\n)`, 'a.ts'), [`It's "{0}"`, 'on']);
});

test('every command can be told to be of use, or is of use at any time', () => {
  const atAnyTime = ['explain', 'openLog', 'refresh', 'chooseContext'] as const;
  const without = contributes.commands.filter(({ enablement }) => enablement === undefined);
  assert.deepEqual(sorted(without.map(({ command }) => command)), sorted(atAnyTime.map(name => commands[name])));
});

test('the manifest has what the Marketplace and VS Code want', () => {
  const icon = readFileSync(inRoot(manifest.icon));
  assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [256, 256], 'width and height of the PNG');
  assert.ok(manifest.categories.includes('Debuggers'));
  assert.ok(manifest.keywords.length > 0 && manifest.keywords.length <= 10);
  assert.deepEqual(manifest.extensionKind, ['workspace']);
  for (const trust of ['untrustedWorkspaces', 'virtualWorkspaces'])
    assert.match(manifest.capabilities[trust]?.description ?? '', /^%/, `${trust} tells its reason`);
});

test('the types are those of the oldest VS Code that is supported', () => {
  const minor = (version = '') => /(\d+\.\d+)/.exec(version)?.[1];
  assert.equal(minor(manifest.devDependencies['@types/vscode']), minor(manifest.engines['vscode']));
});

test('nothing but views, commands and debug types wakes the extension', () => {
  const others = (manifest.activationEvents ?? []).filter(
    event => !/^on(View|Command|Debug\w*):|^onDebugInitialConfigurations$/.test(event),
  );
  assert.deepEqual(others, []);
});

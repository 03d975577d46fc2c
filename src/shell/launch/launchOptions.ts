import path from 'node:path';
import { type ArtifactOverride, type AutoAttachRule, autoAttachRules, type SkaffoldLaunch } from '../../core/runs.ts';
import { type Fields, fields } from '../fields.ts';
import { Attributes, type NumberRange } from './attributes.ts';

/** The debug type of the sessions that own or follow a run. */
export const debugType = 'breakpod';

/** `launch` starts a Skaffold, `attach` joins one, or a cluster alone. */
export type LaunchRequest = 'launch' | 'attach';

/** What a configuration does not say itself. */
export type LaunchPlace = Readonly<{
  /** The workspace folder, absolute: relative paths go by it. */
  folder?: string;
  /** The user's home, for `~/`. */
  home: string;
  /** The kubeconfig of the settings. */
  kubeconfig?: string;
  /** Of the manifest. */
  defaults: Readonly<Record<LaunchRequest, Fields>>;
}>;

/** How the containers of a session are attached to. */
export type SessionRules = Readonly<{ autoAttach: AutoAttachRule; artifacts: ReadonlyMap<string, ArtifactOverride> }>;

/** A configuration with request `launch`. */
export type LaunchOptions = Readonly<{
  launch: SkaffoldLaunch;
  rules: SessionRules;
  cleanUpTimeoutMs: number;
  drainTimeoutMs: number;
}>;

/** A configuration with request `attach`. */
export type AttachOptions = Readonly<{
  name: string;
  /** Of a running Skaffold's gRPC service. */
  port?: number;
  kubeContext?: string;
  namespace?: string;
  rules: SessionRules;
  drainTimeoutMs: number;
}>;

const portForwards = ['user', 'services', 'pods', 'debug', 'off'] as const;
const anyTime: NumberRange = { least: 0, words: 'a number that is not negative' };
const anyPort: NumberRange = { least: 1, most: 65_535, isWhole: true, words: 'a port: a whole number from 1 to 65535' };

/** The defaults that the manifest gives to the attributes of our debug type. */
export function defaultsOf(packageJSON: unknown): LaunchPlace['defaults'] {
  const { debuggers } = fields(fields(packageJSON)['contributes']);
  const all: readonly unknown[] = Array.isArray(debuggers) ? debuggers : [];
  const own = all.find(one => fields(one)['type'] === debugType);
  const attributes = fields(fields(own)['configurationAttributes']);
  const of = (request: LaunchRequest) => {
    const properties = Object.entries(fields(fields(attributes[request])['properties']));
    return Object.fromEntries(
      properties.map(([key, schema]) => [key, fields(schema)['default']]).filter(([, value]) => value !== undefined),
    ) as Fields;
  };
  return { launch: of('launch'), attach: of('attach') };
}

/** The configuration with the defaults of its request for what it leaves out. */
export const withDefaults = <T extends Fields>(configuration: T, defaults: Fields): T => ({
  ...defaults,
  ...(Object.fromEntries(
    Object.entries(configuration).filter(([, value]) => value !== null && value !== undefined),
  ) as T),
});

/** Reads a configuration with request `launch`. Throws a `UserError` that names the attribute which is wrong. */
export function launchOf(configuration: Fields, place: LaunchPlace): LaunchOptions {
  const name = nameOf(configuration);
  const read = new Attributes(withDefaults(configuration, place.defaults.launch), name);
  return {
    launch: {
      name,
      file: absolute(read, 'skaffoldFile', place),
      binary: binaryOf(read, place),
      modules: read.texts('modules'),
      profiles: read.texts('profiles'),
      args: read.texts('args'),
      env: read.variables('env'),
      ...optional('kubeconfig', place.kubeconfig),
      ...optional('kubeContext', read.text('kubeContext')),
      ...optional('namespace', read.text('namespace')),
      portForward: portForwardOf(read),
      cleanUp: required(read, 'cleanUp', read.flag('cleanUp'), 'true or false'),
    },
    rules: rulesOf(read),
    cleanUpTimeoutMs: 1000 * required(read, 'cleanUpTimeout', read.number('cleanUpTimeout', anyTime), anyTime.words),
    drainTimeoutMs: drainOf(read),
  };
}

/** Reads a configuration with request `attach`. Throws a `UserError` that names the attribute which is wrong. */
export function attachOf(configuration: Fields, place: LaunchPlace): AttachOptions {
  const name = nameOf(configuration);
  const read = new Attributes(withDefaults(configuration, place.defaults.attach), name);
  return {
    name,
    ...optional('port', read.number('port', anyPort)),
    ...optional('kubeContext', read.text('kubeContext')),
    ...optional('namespace', read.text('namespace')),
    rules: rulesOf(read),
    drainTimeoutMs: drainOf(read),
  };
}

const nameOf = ({ name }: Fields): string => (typeof name === 'string' && name.trim()) || 'Skaffold';

const drainOf = (read: Attributes): number =>
  required(read, 'drainTimeout', read.number('drainTimeout', anyTime), anyTime.words);

function rulesOf(read: Attributes): SessionRules {
  const autoAttach = read.oneOf('autoAttach', autoAttachRules);
  const artifacts = new Map<string, ArtifactOverride>();
  for (const item of read.items('artifacts')) {
    const image = required(item, 'image', item.text('image'), 'the name of an artifact');
    if (artifacts.has(image)) throw item.wrong('image', 'another artifact than those before it', image);
    artifacts.set(image, {
      ...optional('autoAttach', item.oneOf('autoAttach', autoAttachRules)),
      ...optional('configuration', item.mapping('configuration')),
    });
  }
  return { autoAttach: required(read, 'autoAttach', autoAttach, `one of ${autoAttachRules.join(', ')}`), artifacts };
}

function portForwardOf(read: Attributes): readonly string[] {
  const expected = `a list of ${portForwards.join(', ')}`;
  const modes = read.texts('portForward', expected);
  const isKnown = modes.every(mode => (portForwards as readonly string[]).includes(mode));
  if (!isKnown) throw read.wrong('portForward', expected, modes);
  if (modes.includes('off') && modes.length > 1)
    throw read.wrong('portForward', '"off" alone, or without "off"', modes);
  return [...new Set(modes)];
}

function binaryOf(read: Attributes, place: LaunchPlace): string {
  const binary = required(read, 'skaffoldPath', read.text('skaffoldPath'), 'a path, or a name to look up on PATH');
  return /[/\\]/.test(binary) ? absolute(read, 'skaffoldPath', place) : binary;
}

/** A path; relative ones go by the workspace folder. The variable of the default may not have been replaced yet. */
function absolute(read: Attributes, key: string, { folder, home }: LaunchPlace): string {
  const written = required(read, key, read.text(key), 'a path');
  const file = written.replace(/^~(?=[/\\])/, home).replace('${workspaceFolder}', folder ?? '${workspaceFolder}');
  if (path.isAbsolute(file)) return path.normalize(file);
  if (folder === undefined) throw read.wrong(key, 'an absolute path, since no folder is open', written);
  return path.resolve(folder, file);
}

function required<T>(read: Attributes, key: string, value: T | undefined, expected: string): T {
  if (value === undefined) throw read.wrong(key, expected, 'absent');
  return value;
}

const optional = <K extends string, T>(key: K, value: T | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: T };

import type { KnownRuntime } from '../../core/model.ts';

const ALIASES: Readonly<Record<string, KnownRuntime>> = {
  jvm: 'jvm',
  java: 'jvm',
  nodejs: 'nodejs',
  node: 'nodejs',
  npm: 'nodejs',
  deno: 'deno',
  bun: 'bun',
  python: 'python',
  go: 'go',
  golang: 'go',
  netcore: 'netcore',
  dotnet: 'netcore',
  '.net': 'netcore',
  ruby: 'ruby',
  native: 'native',
  'c++': 'native',
  cpp: 'native',
  rust: 'native',
};

/** Names of debug protocols and well-known port names, each runtime's best first. */
const PROTOCOLS: Readonly<Record<KnownRuntime, readonly string[]>> = {
  jvm: ['jdwp'],
  nodejs: ['devtools'],
  deno: ['devtools'],
  bun: ['devtools'],
  python: ['dap', 'debugpy', 'ptvsd', 'pydevd'],
  go: ['dlv'],
  netcore: [],
  ruby: ['rdbg'],
  native: ['gdbserver'],
};

/** The runtime that a name stands for; other names are kept as they are. */
export const runtimeNamed = (name: string): KnownRuntime | undefined => {
  const key = name.trim().toLowerCase();
  return Object.hasOwn(ALIASES, key) ? ALIASES[key] : undefined;
};

export const protocolsOf = (runtime: KnownRuntime): readonly string[] => PROTOCOLS[runtime];

/** The runtime whose debugger speaks a protocol. */
export const runtimeSpeaking = (protocol: string): KnownRuntime | undefined =>
  (Object.keys(PROTOCOLS) as KnownRuntime[]).find(runtime => PROTOCOLS[runtime].includes(protocol));

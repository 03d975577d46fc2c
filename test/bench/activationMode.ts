// What every extension host has loaded before its first extension (VS Code patches these modules for proxies).
import 'node:child_process';
import 'node:crypto';
import 'node:http';
import 'node:https';
import 'node:net';
import 'node:tls';
import 'node:zlib';
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';

// A process of its own: loads and activates a bundle of the extension with a stub of `vscode`. activationMode.ts BUNDLE

/** What one start took, in CPU time of the main thread. */
export interface Activation {
  readonly loadMs: number;
  readonly activateMs: number;
  /** CommonJS files that were loaded. */
  readonly files: readonly string[];
  /** Modules of Node that were loaded and had not been. */
  readonly nodeModules: number;
}

/** Anything: a function, class or object whose every part is the same again. */
const anything: object = new Proxy(function part() {}, {
  get: (target, key) => {
    if (key === 'prototype') return target.prototype as object;
    if (key === 'visible') return false; // nobody looks
    return key === Symbol.toPrimitive ? () => '' : anything;
  },
  apply: () => anything,
  construct: () => Object.create(anything) as object,
  set: () => true,
});

/** Every name that the API has, since bundles copy them. */
const declared = readFileSync(createRequire(import.meta.url).resolve('@types/vscode/index.d.ts'), 'utf8');
const found = declared.matchAll(/^\texport (?:class|const|enum|function|namespace) (\w+)/gm);
const vscode: object = Object.fromEntries([...found].map(([, name]) => [name!, anything] as const));

const loader = Module as unknown as Record<'_load', (request: string, ...rest: unknown[]) => unknown>;
const load = loader['_load'];
loader['_load'] = (request, ...rest) => (request === 'vscode' ? vscode : load.call(Module, request, ...rest));

const bundle = process.argv[2]!;
const require = createRequire(bundle);
const before = new Set(Object.keys(require.cache));
const loaded = () => (process as unknown as { moduleLoadList: string[] }).moduleLoadList.length;
const nodeModules = loaded();
/** Of the main thread, which is the one that people wait for: what other processes do does not count. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
const start = cpuMs();
const extension = require(bundle) as { activate(context: object): unknown };
const middle = cpuMs();
extension.activate(anything);
const activation: Activation = {
  loadMs: middle - start,
  activateMs: cpuMs() - middle,
  files: Object.keys(require.cache).filter(file => !before.has(file)),
  nodeModules: loaded() - nodeModules,
};
process.send?.(activation, () => process.exit());

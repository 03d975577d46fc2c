import { listOf } from '../pods/lists.ts';
import type { PodContainer } from '../pods/pod.ts';
import { portNumberOf } from './options.ts';
import { runtimeSpeaking } from './runtimes.ts';

/** Port names that say "debugger" without saying which. */
const UNTOLD = ['debug', 'debug-port', 'debugger', 'remote-debug', 'java-debug', 'node-debug'];
const NAMES = ['jdwp', 'devtools', 'dlv', 'dap', 'debugpy', 'ptvsd', 'pydevd', 'rdbg', 'gdbserver', ...UNTOLD];

/** Words without which a pod has no port with a telling name (as JSON, the way API servers write it). */
export const portNameTriggers: readonly string[] = NAMES.map(name => `"name":"${name}"`);

/** A port whose name tells that a debugger listens there. */
export interface NamedPort {
  readonly name: string;
  readonly port: number;
}

/** The ports of a container with a telling name, those that name a protocol first. */
export function namedPorts(spec: PodContainer): NamedPort[] {
  const named = listOf(spec.ports).flatMap(({ name, containerPort }) => {
    const port = portNumberOf(containerPort);
    return name !== undefined && port !== undefined && NAMES.includes(name) ? [{ name, port }] : [];
  });
  return [...named.filter(tellsRuntime), ...named.filter(port => !tellsRuntime(port))];
}

const tellsRuntime = ({ name }: NamedPort) => runtimeSpeaking(name) !== undefined;

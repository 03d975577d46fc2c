import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import type { Process, ProcessTable } from './process.ts';
import { portsOf } from './sockets.ts';

/** Linux: /proc, without a process of our own. */
export const linux: ProcessTable = {
  async read() {
    const names = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
    const found: Process[] = [];
    // One after the other: this goes on beside all that the extension host does.
    for (const name of names) found.push(...(await skaffoldIn(`/proc/${name}`, Number(name))));
    return found;
  },
  portsOf: pid => portsOf([pid]),
};

/** What can be a Skaffold at all; others are not looked into any further. It may end meanwhile, and then is none. */
async function skaffoldIn(path: string, pid: number): Promise<readonly Process[]> {
  const commandLine = await readFile(`${path}/cmdline`, 'utf8').catch(() => '');
  if (!/skaffold/i.test(commandLine)) return [];
  const owner = await stat(path).catch(() => undefined);
  if (owner?.uid !== process.getuid?.()) return [];
  const env = zeroSeparated(await readFile(`${path}/environ`, 'utf8').catch(() => '')); // its own user may not be allowed to
  const folder = await readlink(`${path}/cwd`).catch(() => undefined);
  const variables = env.flatMap(one => (one.startsWith('SKAFFOLD_') ? [splitAtEquals(one)] : []));
  const words = zeroSeparated(commandLine);
  return [{ pid, words, env: Object.fromEntries(variables), ...(folder === undefined ? {} : { folder }) }];
}

/** Each ends with a zero; an empty one counts. */
const zeroSeparated = (text: string): string[] => text.split('\0').slice(0, -1);

function splitAtEquals(variable: string): [string, string] {
  const at = variable.indexOf('=');
  return [variable.slice(0, at), variable.slice(at + 1)];
}

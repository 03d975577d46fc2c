import { commandOutput } from './commandOutput.ts';
import type { Process, ProcessTable } from './process.ts';

/** macOS: `ps`, which does not tell where one argument ends, and `lsof` for the folder of those that matter. Not run by any test. */
export const macos: ProcessTable = {
  async read() {
    const processes = inPs(await commandOutput('ps', ['-axww', '-o', 'pid=,uid=,command=']), process.getuid?.() ?? -1);
    if (processes.length === 0) return [];
    const pids = processes.map(({ pid }) => pid).join(',');
    const folders = foldersIn(await commandOutput('lsof', ['-a', '-d', 'cwd', '-p', pids, '-Fpn']));
    return processes.map(one => ({ ...one, ...(folders.has(one.pid) ? { folder: folders.get(one.pid)! } : {}) }));
  },
};

/** Lines `PID UID COMMAND…` of `ps`: the processes of a user that can be a Skaffold. */
export function inPs(output: string, user: number): Process[] {
  return output.split('\n').flatMap(line => {
    const [, pid, uid, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (Number(uid) !== user || !/skaffold/i.test(command)) return [];
    return [{ pid: Number(pid), words: command.trim().split(/\s+/) }];
  });
}

/** Lines of `lsof -F`: `p` and a process, then `n` and its folder. */
export function foldersIn(output: string): Map<number, string> {
  const folders = new Map<number, string>();
  let pid = 0;
  for (const line of output.split('\n'))
    if (line.startsWith('p')) pid = Number(line.slice(1));
    else if (line.startsWith('n')) folders.set(pid, line.slice(1));
  return folders;
}

import { readFile, readdir, readlink } from 'node:fs/promises';

/** TCP_LISTEN, as the kernel writes it. */
const LISTEN = '0A';

/** Addresses that are reached by 127.0.0.1: that, any, and both as IPv6. In the byte order of x86 and ARM. */
const LOOPBACK = new Set([...['0100007F', '00000000', '0'.repeat(32)], '0000000000000000FFFF00000100007F']);

/** Listening sockets of /proc/net/tcp or tcp6 that 127.0.0.1 reaches: inode → port. */
export function listenersIn(table: string): Map<string, number> {
  const rows = table
    .split('\n')
    .slice(1)
    .map(line => line.trim().split(/\s+/));
  const listening = rows
    .filter(([, , , state]) => state === LISTEN)
    .flatMap(([, local = '', , , , , , , , inode]) => {
      const [address = '', port = ''] = local.split(':');
      return inode !== undefined && LOOPBACK.has(address) ? [[inode, Number.parseInt(port, 16)] as const] : [];
    });
  return new Map(listening);
}

/** The ports on which these processes listen. Linux; those that cannot be looked into have none. */
export async function portsOf(pids: readonly number[]): Promise<readonly number[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map(name => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
  const ports = new Map(tables.flatMap(table => [...listenersIn(table)]));
  const inodes = (await Promise.all(pids.map(socketsOf))).flat();
  return [...new Set(inodes.flatMap(inode => ports.get(inode) ?? []))].sort((a, b) => a - b);
}

async function socketsOf(pid: number): Promise<readonly string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map(name => readlink(`${folder}/${name}`).catch(() => '')));
  return targets.flatMap(target => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}

/** The processes of a group. Linux. */
export async function membersOf(group: number): Promise<readonly number[]> {
  const names = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name));
  const groups = await Promise.all(names.map(name => readFile(`/proc/${name}/stat`, 'utf8').then(groupIn, () => 0)));
  return names.filter((_, at) => groups[at] === group).map(Number);
}

/** Of a process, in its /proc/…/stat; its name stands before, in parentheses, and may be anything. */
export const groupIn = (stat: string): number => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);

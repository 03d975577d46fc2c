import { readdir, readFile, readlink } from 'node:fs/promises';

/** `st` of a listening socket in /proc/net/tcp (Linux `include/net/tcp_states.h`). */
const LISTEN = '0A';

/** Who listens on a local TCP port, for people: `java (process 4711)`. `undefined` where the platform does not tell. */
export async function holderOf(port: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const inodes = await listenersOf(port);
    return inodes.size > 0 ? await processWith(inodes) : undefined;
  } catch {
    return undefined;
  }
}

async function listenersOf(port: number): Promise<Set<string>> {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map(file => readFile(file, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap(table => table.split('\n').slice(1)).map(row => row.trim().split(/\s+/));
  return new Set(rows.filter(row => row[1]?.endsWith(end) && row[3] === LISTEN).map(row => `socket:[${row[9]}]`));
}

async function processWith(sockets: ReadonlySet<string>): Promise<string | undefined> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  for (const pid of pids) {
    if (!(await holds(pid, sockets))) continue;
    const name = (await readFile(`/proc/${pid}/comm`, 'utf8')).trim();
    return `${name} (process ${pid})`;
  }
  return undefined;
}

/** Files of other users' processes cannot be read: those are passed over. */
async function holds(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(files.map(file => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
  return links.some(link => sockets.has(link));
}

import { isAbsolute, join } from 'node:path';
import { type CommandLine, debugOf, type Selection } from './commandLine.ts';
import { linux } from './linux.ts';
import { macos } from './macos.ts';
import type { Process, ProcessTable } from './process.ts';
import { windows } from './windows.ts';

/** A running `skaffold debug` of this user. */
export type Found = Selection &
  Readonly<{
    pid: number;
    /** Of its gRPC service, on 127.0.0.1. */
    port: number;
    /** In which it runs; not known on Windows. */
    folder?: string;
    /** Its skaffold.yaml, absolute; not known when that is no file, or lies in a folder that is not known. */
    file?: string;
  }>;

const tables: Partial<Record<NodeJS.Platform, ProcessTable>> = { linux, darwin: macos, win32: windows };

/**
 * The `skaffold debug` processes of this user whose RPC port is known. Never throws: what ends meanwhile, or may not be
 * looked into, is not found.
 */
export async function findSkaffolds(table = tables[process.platform]): Promise<readonly Found[]> {
  if (!table) return [];
  const processes = await table.read().catch(() => []);
  const found = await Promise.all(processes.map(one => foundIn(one, table)));
  // What has started it, as a shell script does, has its words too: of one port, the last.
  return [...new Map(found.filter(one => one !== undefined).map(one => [one.port, one])).values()];
}

async function foundIn(one: Process, table: ProcessTable): Promise<Found | undefined> {
  const line = debugOf(one.words, one.env);
  if (!line) return undefined;
  const port = line.rpcPort || (await listeningPort(one.pid, line, table));
  if (!port) return undefined;
  const { pid, folder } = one;
  const file = pathOf(line.file, folder);
  return {
    ...{ pid, port, ...line.selection },
    ...(folder === undefined ? {} : { folder }),
    ...(file === undefined ? {} : { file }),
  };
}

/** It listens on its RPC port and on that of its HTTP gateway, on no other; when both are unknown there is no telling them apart. */
async function listeningPort(pid: number, { httpPort }: CommandLine, table: ProcessTable): Promise<number | undefined> {
  const ports = (await table.portsOf?.(pid)) ?? [];
  const others = ports.filter(port => port !== httpPort);
  return others.length === 1 ? others[0] : undefined;
}

/** `-` is its standard input, and a URL is no file either (skaffold: pkg/skaffold/parser/config.go). */
function pathOf(file = 'skaffold.yaml', folder: string | undefined): string | undefined {
  if (file === '-' || /^[a-z]+:\/\//i.test(file)) return undefined;
  if (isAbsolute(file)) return file;
  return folder === undefined ? undefined : join(folder, file);
}

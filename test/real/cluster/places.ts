// Folders of the machine over which each cluster mounts its own. A mount needs a folder below it, so what is missing is
// made, and goes again with the last cluster.
import { existsSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allMountPoints } from './processes.ts';

/** Built into containerd, the CNI plugins and the kubelet. */
export const places: readonly string[] = ['/run/containerd', '/var/lib/cni', '/var/lib/kubelet', '/var/log/containers'];

const defaultNotes: string = join(tmpdir(), 'breakpod-made-folders');

/** Notes which folders, parents too, will have to be made; they are made when the node starts. */
export function noteMissing(wanted: readonly string[] = places, notes = defaultNotes): void {
  const missing = wanted.flatMap(missingParts);
  if (missing.length > 0) writeFileSync(notes, `${[...new Set([...notedIn(notes), ...missing])].join('\n')}\n`);
}

/**
 * Removes what was made, as far as it is empty and nobody has mounted something there: removing a folder would also remove
 * another cluster's mount.
 */
export function removeMade(notes = defaultNotes, mountPoints = allMountPoints): void {
  const noted = notedIn(notes);
  if (noted.length === 0) return;
  const used = mountPoints();
  if (noted.some(folder => used.has(folder))) return; // the last cluster removes them
  for (const folder of noted.sort().reverse()) removeEmpty(folder);
  rmSync(notes);
}

/** Folders that are noted and still there. */
export const madeFolders = (notes = defaultNotes): string[] => notedIn(notes).filter(folder => existsSync(folder));

function missingParts(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingParts(dirname(folder)), folder];
}

function notedIn(notes: string): string[] {
  return existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').filter(Boolean) : [];
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else uses it by now, or it is gone.
  }
}

// Root file systems from files of this machine, as layers (tar archives).
import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './run.ts';

/** Copies a file to `to` in the tree. */
export async function addFile(root: string, from: string, to = from, mode = 0o755): Promise<void> {
  const target = join(root, to);
  await mkdir(dirname(target), { recursive: true });
  await copyFile(await realpath(from), target);
  await chmod(target, mode);
}

/** Copies a program, and the shared libraries that it asks for. */
export async function addProgram(root: string, from: string, to = from): Promise<void> {
  await addFile(root, from, to);
  await addLibraries(root, [from]);
}

/** Copies the shared libraries that programs or libraries ask for. */
export async function addLibraries(root: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const said = await run('ldd', [file]).catch(() => ''); // a static program has none
    for (const [library] of said.matchAll(/\/[^ )\n]+(?= \(0x)/g))
      if (!existsSync(join(root, library)) && !library.startsWith(root)) await addFile(root, library);
  }
}

/** The parts of the standard folders that programs expect, and a shell with the usual commands. */
export async function addBase(root: string): Promise<void> {
  for (const folder of ['bin', 'usr/bin', 'etc', 'proc', 'sys', 'dev', 'app', 'root', 'tmp'])
    await mkdir(join(root, folder), { recursive: true });
  await chmod(join(root, 'tmp'), 0o1777);
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  await writeFile(join(root, 'etc/group'), 'root:x:0:\n');
  await writeFile(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  await addFile(root, '/bin/busybox', '/bin/busybox');
  for (const command of (await run('/bin/busybox', ['--list'])).trim().split('\n'))
    if (command !== 'busybox') await symlink('busybox', join(root, 'bin', command));
}

/** Copies a folder; `keep` decides by the path inside it. */
export async function addFolder(root: string, from: string, to = from, keep = (_path: string) => true): Promise<void> {
  await cp(from, join(root, to), {
    recursive: true,
    dereference: true,
    filter: source => keep(source.slice(from.length)),
  });
}

/** Packs the tree so that equal content gives equal bytes, and with them an equal digest. */
export async function pack(root: string, tar: string): Promise<string> {
  const flags = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  await run('tar', [...flags, '-C', root, '-cf', `${tar}.partial`, '.'], { timeoutMs: 300_000 });
  await rename(`${tar}.partial`, tar);
  return tar;
}

// Makes the images that the pods run, and fills a registry's storage with them. Nothing is pulled. Each cluster gets a
// copy of the storage, so it has its images the moment that it starts.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bin, imagesFolder } from './paths.ts';
import { type Image, images, type Recipe, recipes } from './recipes.ts';
import { pack } from './rootfs.ts';
import { run, until } from './run.ts';

export const hasImages = (): boolean => existsSync(imagesFolder);

/** Takes about half a minute the first time; needs the built programs. */
export async function makeImages(): Promise<void> {
  if (hasImages()) return;
  console.error('Making the images …');
  const work = await mkdtemp(join(tmpdir(), 'breakpod-images-'));
  try {
    const layers = await makeLayers(recipes, work);
    const storage = join(work, 'storage');
    await withRegistry(storage, work, registry => pushImages(registry, images, layers));
    await keep(storage);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Moves the storage to its place, unless another run was faster. */
async function keep(storage: string): Promise<void> {
  const partial = `${imagesFolder}.${process.pid}`;
  await mkdir(dirname(imagesFolder), { recursive: true });
  await run('cp', ['-a', storage, partial]);
  await rename(partial, imagesFolder).catch(async (error: unknown) => {
    await rm(partial, { recursive: true });
    if (!existsSync(imagesFolder)) throw error;
  });
}

/** Layers as tar archives in the folder `work`, by the names of the recipes. */
export async function makeLayers(
  wanted: Readonly<Record<string, Recipe>>,
  work: string,
): Promise<ReadonlyMap<string, string>> {
  const layers = new Map<string, string>();
  for (const [name, fill] of Object.entries(wanted)) {
    const root = join(work, 'layers', name);
    await mkdir(root, { recursive: true });
    await fill(root, work);
    layers.set(name, await pack(root, join(work, `${name}.tar`)));
  }
  return layers;
}

/** Puts images together from `layers` and pushes them to the registry at the address. */
export async function pushImages(
  registry: string,
  wanted: readonly Image[],
  layers: ReadonlyMap<string, string>,
): Promise<void> {
  const platform = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`;
  for (const { name, layers: names, settings } of wanted) {
    const ref = `${registry}/${name}`;
    const stack = names.flatMap(layer => ['--new_layer', layers.get(layer)!]);
    await run(bin('crane'), ['append', ...stack, '--new_tag', ref], { timeoutMs: 300_000 });
    const where = ['--tag', ref, '--set-platform', platform, '--workdir', '/app'];
    await run(bin('crane'), ['mutate', ref, ...where, ...settings]);
  }
}

/** Debian's registry on a free port of the loopback. (crane has one too, but it keeps manifests in memory only.) */
async function withRegistry(storage: string, work: string, action: (address: string) => Promise<void>): Promise<void> {
  const address = `127.0.0.1:${await freePort()}`;
  const config = join(work, 'registry.yml');
  const settings = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: storage } },
    http: { addr: address },
    log: { level: 'error' },
  };
  await writeFile(config, JSON.stringify(settings)); // YAML is a superset of JSON
  await mkdir(storage);
  const registry = spawn('docker-registry', ['serve', config], { stdio: 'ignore' });
  try {
    await until('the registry', async () => (await fetch(`http://${address}/v2/`)).ok, { timeoutMs: 10_000 });
    await action(address);
  } finally {
    registry.kill();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

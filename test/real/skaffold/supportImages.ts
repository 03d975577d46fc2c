// What `skaffold debug` puts into containers: an init container for each runtime copies its files to /dbg. Skaffold's own
// images (GoogleContainerTools/container-debug-support) cannot be had offline; these have the same interface, and no more.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLayers, pushImages } from '../cluster/images.ts';
import { bin } from '../cluster/paths.ts';
import { addDebugpy, type Image, type Recipe, recipes } from '../cluster/recipes.ts';
import { addFile } from '../cluster/rootfs.ts';

const FOLDER = 'debug-support';

const inHere = (name: string): string => join(import.meta.dirname, 'support', name);

/** The files of each runtime, in the place where the init container finds them. */
const files: Readonly<Record<string, Recipe>> = {
  nodejs: root => addFile(root, inHere('node'), '/support/nodejs/bin/node'),
  go: root => addFile(root, bin('dlv'), '/support/go/bin/dlv'), // static: it has to run in every image
  async python(root, work) {
    await addFile(root, inHere('launcher'), '/support/python/launcher');
    await addDebugpy(join(root, 'support/python/lib'), work);
  },
};

const images: readonly Image[] = Object.keys(files).map(runtime => ({
  name: `${FOLDER}/${runtime}:latest`,
  layers: ['base', runtime],
  settings: ['--entrypoint', '/bin/cp,-a,/support/.,/dbg', '--env', 'PATH=/bin'],
}));

/** Pushes the images to a registry; gives what `debug-helpers-registry` of Skaffold's settings has to be. */
export async function pushSupportImages(registry: string): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'breakpod-support-images-'));
  try {
    const layers = await makeLayers({ base: recipes['busybox']!, ...files }, work);
    await pushImages(registry, images, layers);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return `${registry}/${FOLDER}`;
}

// What the images hold: layers from this machine's own programs and packages, and the settings of each image.
import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../../../.ci/lib/paths.ts';
import { bin, here } from './paths.ts';
import { addBase, addFile, addFolder, addLibraries, addProgram } from './rootfs.ts';
import { run } from './run.ts';

const DEBUGPY = '1.8.22';

/** Fills the root folder of a layer; `work` is for what is needed on the way. */
export type Recipe = (root: string, work: string) => Promise<void>;

const app = (name: string): string => join(here, 'apps', name);

const goBuild = (folder: string, to: string, ...flags: string[]): Promise<string> =>
  run('go', ['build', ...flags, '-o', to, '.'], {
    cwd: folder,
    env: { ...process.env, CGO_ENABLED: '0' },
    timeoutMs: 300_000,
  });

/** Layers by name. */
export const recipes: Readonly<Record<string, Recipe>> = {
  async pause(root) {
    await goBuild(app('pause'), join(root, 'pause'), '-trimpath', '-ldflags=-s -w');
  },
  busybox: addBase,
  async node(root) {
    await addBase(root);
    await addProgram(root, process.execPath, '/usr/local/bin/node');
  },
  // As most TypeScript images are: what the compiler made, with source maps, and not the sources.
  async 'node-app'(root, work) {
    const sources = join(work, 'node-service');
    await cp(app('node'), sources, { recursive: true });
    const types = ['--typeRoots', inRoot('node_modules', '@types')];
    await run(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-p', sources, ...types], {
      timeoutMs: 120_000,
    });
    await addFile(root, join(sources, 'package.json'), '/app/package.json', 0o644);
    await addFolder(root, join(sources, 'dist'), '/app/dist');
  },
  async jre(root) {
    await addBase(root);
    const modules = 'java.base,java.logging,java.management,jdk.httpserver,jdk.jdwp.agent';
    const java = join(root, 'opt/java');
    const small = ['--strip-debug', '--no-man-pages', '--no-header-files'];
    await run('jlink', ['--add-modules', modules, ...small, '--output', java], { timeoutMs: 180_000 });
    await addLibraries(root, [`${java}/bin/java`, `${java}/lib/server/libjvm.so`, ...globSync(`${java}/lib/*.so`)]);
  },
  async 'java-app'(root) {
    await mkdir(join(root, 'app'), { recursive: true });
    await run('javac', ['-g', '-d', join(root, 'app'), join(app('java'), 'Server.java')], { timeoutMs: 120_000 });
  },
  async python(root, work) {
    await addBase(root);
    const { program, library } = await machinePython();
    await addProgram(root, program);
    await mkdir(join(root, 'usr/local/bin'), { recursive: true });
    await symlink(program, join(root, 'usr/local/bin/python3'));
    await addFolder(root, library, library, path => !unneeded.test(path));
    await addLibraries(root, globSync(`${library}/lib-dynload/*.so`));
    await addDebugpy(join(root, 'opt/debugpy'), work);
  },
  async 'python-app'(root) {
    await addFile(root, join(app('python'), 'server.py'), '/app/server.py', 0o644);
  },
  async go(root) {
    await addBase(root);
    await addFile(root, bin('dlv'), '/usr/local/bin/dlv');
  },
  // Without optimisation, as a debugger wants it.
  async 'go-app'(root) {
    await mkdir(join(root, 'app'), { recursive: true });
    await goBuild(app('go'), join(root, 'app/server'), '-gcflags=all=-N -l');
  },
};

export interface Image {
  readonly name: string;
  /** From the bottom up. */
  readonly layers: readonly string[];
  /** Settings as `crane mutate` takes them. */
  readonly settings: readonly string[];
}

const path = (...folders: string[]): string[] => [
  '--env',
  `PATH=${[...folders, '/usr/local/bin', '/usr/bin', '/bin'].join(':')}`,
];

/** All images, with the settings of the well-known ones that a debug tool may look at. */
export const images: readonly Image[] = [
  { name: 'pause:1', layers: ['pause'], settings: ['--entrypoint', '/pause'] },
  { name: 'busybox:1', layers: ['busybox'], settings: ['--cmd', 'sh', ...path()] },
  {
    name: 'node:1',
    layers: ['node', 'node-app'],
    settings: ['--cmd', 'node,/app/dist/server.js', '--env', `NODE_VERSION=${process.versions.node}`, ...path()],
  },
  {
    name: 'java:1',
    layers: ['jre', 'java-app'],
    settings: ['--cmd', 'java,-cp,/app,Server', '--env', 'JAVA_VERSION=17', ...path('/opt/java/bin')],
  },
  {
    name: 'python:1',
    layers: ['python', 'python-app'],
    settings: [
      ...['--cmd', 'python3,/app/server.py', '--env', 'PYTHON_VERSION=3'],
      ...['--env', 'PYTHONPATH=/opt/debugpy', ...path()],
    ],
  },
  {
    name: 'go:1',
    layers: ['go', 'go-app'],
    settings: ['--entrypoint', '/app/server', '--env', 'GOTRACEBACK=single', ...path()],
  },
];

/** Parts of Python's library that no service needs. */
const unneeded =
  /^\/(test|idlelib|tkinter|turtledemo|ensurepip|lib2to3|pydoc_data|dist-packages|site-packages|config-[^/]*)(\/|$)|__pycache__|\.a$/;

/** Debian's own Python is half the size of one that was compiled with symbols; any other will do. */
async function machinePython(): Promise<{ program: string; library: string }> {
  const code =
    'import os, sys, sysconfig; print(os.path.realpath(sys.executable)); print(sysconfig.get_paths()["stdlib"])';
  const said = await run(existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3', ['-c', code]);
  const [program, library] = said.trim().split('\n');
  return { program: program!, library: library! };
}

/** Unpacks debugpy into a folder: the wheel without compiled parts, which runs on every Python. */
export async function addDebugpy(folder: string, work: string): Promise<void> {
  const wheels = join(work, 'wheels');
  const flags = ['--quiet', '--no-deps', '--only-binary=:all:', '--platform', 'any', '--dest', wheels];
  await run('python3', ['-m', 'pip', 'download', ...flags, `debugpy==${DEBUGPY}`], { timeoutMs: 180_000 });
  await run('python3', ['-m', 'zipfile', '-e', globSync(`${wheels}/debugpy-*.whl`)[0]!, folder]);
}

import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { whichOf } from '../../../.ci/lib/command.ts';
import { aptInstall, jdk, type Need, provide } from '../../../.ci/lib/needs.ts';
import { cacheRoot } from '../cluster/paths.ts';
import { run } from '../cluster/run.ts';

const sources = join(import.meta.dirname, 'java');

const hash = ['pom.xml', 'JavaDap.java']
  .reduce((sum, file) => sum.update(readFileSync(join(sources, file))), createHash('sha256'))
  .digest('hex')
  .slice(0, 12);

const folder = join(cacheRoot, `java-dap-${hash}`);

const maven: Need = {
  name: 'Maven (apt-get, about half a minute)',
  isThere: () => whichOf(['mvn']) !== undefined,
  install: () => aptInstall('maven', 'Please install Maven, with mvn on the PATH.'),
};

/** The Java debug adapter of the tests: jars from Maven Central, and a main class that is compiled against them. */
export const javaDap: Need = {
  name: 'the Java debug adapter of the tests (Maven, about half a minute)',
  isThere: () => existsSync(folder),
  async install() {
    await provide(jdk);
    await provide(maven);
    const work = await mkdtemp(join(tmpdir(), 'breakpod-java-dap-'));
    try {
      await build(work);
      await keep(work);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  },
};

/** As `java -cp` takes it; the main class is `JavaDap`. */
export const javaDapClassPath: string = [folder, join(folder, 'lib', '*')].join(delimiter);

async function build(work: string): Promise<void> {
  const lib = join(work, 'lib');
  const pom = join(sources, 'pom.xml');
  const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${lib}`];
  await run('mvn', ['--batch-mode', '--quiet', '--file', pom, ...copy], { timeoutMs: 300_000 });
  const [bundle] = globSync(join(lib, 'org.eclipse.jdt.debug-*.jar'));
  await run('jar', ['xf', bundle!, 'jdimodel.jar'], { cwd: lib });
  await run('javac', ['-cp', join(lib, '*'), '-d', work, join(sources, 'JavaDap.java')], { timeoutMs: 120_000 });
}

/** Moves it to its place, unless another run was faster. */
async function keep(work: string): Promise<void> {
  const partial = `${folder}.${process.pid}`;
  await mkdir(cacheRoot, { recursive: true });
  await cp(work, partial, { recursive: true });
  await rename(partial, folder).catch(async (error: unknown) => {
    await rm(partial, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
}

import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../../core/errors.ts';

const run = promisify(execFile);

const noJdk = (cause: unknown) =>
  new UserError('demo-no-jdk', 'No JDK was found.', {
    cause,
    remedy: 'Install one that has java and javac on the PATH, and start the demo again.',
  });

/** Compiles a folder of Java sources with debug information. Throws `UserError` without a JDK, else javac's own words. */
export async function compileJava(sources: string, classes: string): Promise<void> {
  await run('javac', ['-version']).catch((error: unknown) => Promise.reject(noJdk(error)));
  await run('java', ['-version']).catch((error: unknown) => Promise.reject(noJdk(error)));
  const files = (await readdir(sources, { recursive: true }))
    .filter(file => file.endsWith('.java'))
    .map(file => join(sources, file));
  await run('javac', ['-g', '-d', classes, ...files]);
}

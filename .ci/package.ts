// `npm run package`: the VSIX, small and with nothing in it that does not belong there.
import { listFiles, PackageManager } from '@vscode/vsce';
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { buildAll, bundleNames } from './build.ts';
import { runCommand } from './lib/command.ts';
import { inRoot, root, vsixFile } from './lib/paths.ts';

const MOST_BYTES = 1024 * 1024;

/** Everything that may be in the VSIX. What is missing here is a source, a test or a leftover. */
const allowed: readonly RegExp[] = [
  /^package(\.nls(\.[\w-]+)?)?\.json$/,
  /^(README|CHANGELOG)\.md$/,
  /^LICENSE$/,
  new RegExp(`^out/(${bundleNames.join('|')})\\.cjs$`),
  /^media\/[\w-]+\.(png|svg|gif)$/,
  /^media\/demo\/[\w/-]+\.(js|ts|java|json|xml|yaml|md)$/,
  /^media\/l10n\/bundle\.l10n\.[\w.-]+$/,
];

const needed = ['package.json', 'README.md', 'LICENSE', 'out/extension.cjs', 'media/icon.png'];

/** Why these files are not what a VSIX should have; empty when they are. Paths relative to the project, with slashes. */
export function contentProblems(files: readonly string[]): string[] {
  return [
    ...files
      .filter(file => !allowed.some(pattern => pattern.test(file)))
      .map(file => `${file} does not belong in the VSIX`),
    ...needed.filter(file => !files.includes(file)).map(file => `${file} is missing in the VSIX`),
  ];
}

/** Packs by the command line of vsce: its function prints a long list that nobody needs when all is well. */
async function pack(): Promise<void> {
  const options = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', vsixFile];
  const program = inRoot('node_modules', '@vscode', 'vsce', 'vsce');
  const { ok, output } = await runCommand(process.execPath, [program, 'package', ...options]);
  if (!ok) throw new Error(`vsce could not pack the extension:\n${output}`);
}

/** Builds and packs; returns the path of the VSIX. Throws when its contents or its size are wrong. */
export async function packageExtension(): Promise<string> {
  await buildAll({ minify: true });
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  const problems = contentProblems(files.map(file => file.replaceAll('\\', '/')));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await pack();
  const { size } = statSync(vsixFile);
  if (size > MOST_BYTES) throw new Error(`The VSIX has ${size} bytes; the budget is ${MOST_BYTES}.`);
  console.error(`The VSIX has ${Math.round(size / 1024)} KB of ${MOST_BYTES / 1024} KB allowed.`);
  return vsixFile;
}

if (import.meta.main) console.log(relative(root, await packageExtension()));

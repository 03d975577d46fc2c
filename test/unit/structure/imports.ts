import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { inRoot, root } from '../../../.ci/lib/paths.ts';

/** One import of a source file. `type`: gone at run time; `dynamic`: loaded when the line is reached. */
export interface Import {
  readonly kind: 'type' | 'static' | 'dynamic';
  /** As written: `vscode`, `node:net`, `../lib/emitter.ts`. */
  readonly specifier: string;
}

/** Files of `src` by their path below it (`core/store.ts`), with their text. */
export const sourceFiles = (): Map<string, string> =>
  new Map(
    globSync('src/**/*.ts', { cwd: root })
      .map(file => file.replaceAll('\\', '/'))
      .sort()
      .map(file => [file.slice('src/'.length), readFileSync(inRoot(file), 'utf8')]),
  );

const STATEMENT = /^(?:import|export)\s+(type\s+)?(?:[^;'"`]*?\bfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\('([^']+)'\)/g;

/** An import that names only types, as in `import { type A, type B } from`, loads nothing. */
const namesOnlyTypes = (statement: string): boolean => {
  const names = /\{([^}]*)\}/
    .exec(statement)?.[1]
    ?.split(',')
    .map(name => name.trim())
    .filter(Boolean);
  return names !== undefined && names.length > 0 && names.every(name => name.startsWith('type '));
};

const withoutComments = (text: string): string => text.replaceAll(/^\s*(\/\*[\s\S]*?\*\/|\/\/.*)/gm, '');

/** The imports of a text, in the form that the formatter gives them. */
export function importsOf(text: string): Import[] {
  const code = withoutComments(text);
  return [
    ...[...code.matchAll(STATEMENT)].map(([statement, type, specifier]): Import => ({
      kind: type || namesOnlyTypes(statement) ? 'type' : 'static',
      specifier: specifier!,
    })),
    ...[...code.matchAll(DYNAMIC)].map(([, specifier]): Import => ({ kind: 'dynamic', specifier: specifier! })),
  ];
}

/** Where a relative import leads, below `src`; undefined for a package. */
export const targetOf = (file: string, { specifier }: Import): string | undefined =>
  specifier.startsWith('.') ? join(dirname(file), specifier) : undefined;

/** The folder of `src` that a file belongs to; `extension.ts` stands for itself. */
export const folderOf = (file: string): string => file.split('/')[0]!;

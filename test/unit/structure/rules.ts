import { folderOf, type Import, importsOf, targetOf } from './imports.ts';

/** What a folder may import, beside itself and (except `core`) Node. */
interface Rule {
  readonly folders: readonly string[];
  /** Packages at run time. */
  readonly packages?: readonly string[];
  /** Packages of which only types are needed. */
  readonly typePackages?: readonly string[];
  readonly isWithoutNode?: boolean;
}

/** `headless` and `shell` join the others; of the demo they know what it prints, no more. */
const joined = ['core', 'lib', 'cluster', 'debuggers', 'proto', 'skaffold', 'service', 'session'];

export const rules: Readonly<Record<string, Rule>> = {
  lib: { folders: [] },
  core: { folders: ['lib'], isWithoutNode: true },
  cluster: { folders: ['core', 'lib'], typePackages: ['@kubernetes/client-node', 'ws'] },
  debuggers: { folders: ['core', 'lib'] },
  proto: { folders: ['lib'] },
  skaffold: { folders: ['core', 'lib', 'proto'], typePackages: ['@grpc/grpc-js'] },
  service: { folders: ['core', 'lib', 'proto'], typePackages: ['@grpc/grpc-js'] },
  session: { folders: ['core', 'lib'], packages: ['@vscode/debugadapter'], typePackages: ['@vscode/debugprotocol'] },
  demo: { folders: ['core', 'lib'], packages: ['ws'] },
  headless: { folders: joined },
  shell: { folders: joined, packages: ['vscode'] },
  'extension.ts': { folders: [...joined, 'shell'], packages: ['vscode'] },
};

/** Third-party code loads only through these files, and they only when they are needed. */
const isLibraries = (file: string): boolean => /^\w+\/libraries\.ts$/.test(file);

/** Its base class comes from a library, so the whole folder loads with the first session. */
const isSession = (file: string): boolean => file.startsWith('session/');

/** What protos became counts as third-party code: it is made for gRPC, and imports it. */
const isGenerated = (file: string): boolean => file.startsWith('proto/gen/');

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function problemOf(file: string, found: Import): string | undefined {
  const { kind, specifier } = found;
  const folder = folderOf(file);
  const rule = rules[folder];
  if (!rule) return `no rule for the folder ${folder}`;
  const target = targetOf(file, found);
  if (isGenerated(file) || isLibraries(file)) return undefined;
  if (target !== undefined && kind === 'static' && (isLibraries(target) || isGenerated(target)))
    return 'loads the libraries at once; use await import()';
  if (target !== undefined && kind === 'static' && isSession(target) && !isSession(file))
    return 'loads the debug adapter at once; use await import()';
  if (target !== undefined) {
    const isAllowed = folderOf(target) === folder || rule.folders.includes(folderOf(target));
    return isAllowed ? undefined : `${folder} may not import ${folderOf(target)}`;
  }
  if (specifier.startsWith('node:')) return rule.isWithoutNode ? `${folder} may not use Node` : undefined;
  const allowed = [...(rule.packages ?? []), ...(kind === 'type' ? (rule.typePackages ?? []) : [])];
  return allowed.includes(packageOf(specifier)) ? undefined : `${folder} may not import ${specifier} (${kind})`;
}

/** Imports that the table does not allow, as `file: reason`. */
export const importProblems = (files: ReadonlyMap<string, string>): string[] =>
  [...files].flatMap(([file, text]) =>
    importsOf(text)
      .map(found => problemOf(file, found))
      .filter(problem => problem !== undefined)
      .map(problem => `${file}: ${problem}`),
  );

/** Files that come back to themselves by their imports, each circle once, as `a -> b -> a`. Types count. */
export function cycles(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push([...path.slice(at), file].join(' -> '));
    if (at >= 0 || done.has(file)) return;
    const targets = importsOf(files.get(file) ?? '').map(one => targetOf(file, one));
    for (const target of targets) if (target !== undefined) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files.keys()) visit(file, []);
  return found;
}

import * as nodeModule from 'node:module';
import { UserError } from '../../core/errors.ts';

/** A program and its source map, as a compiler writes them to `dist`. */
export interface Compiled {
  readonly code: string;
  readonly map: string;
}

/** Node before 22.13, or one that was built without its compiler. */
export const cannotCompile = (cause: unknown) =>
  new UserError('demo-no-typescript', `Node ${process.versions.node} cannot compile TypeScript.`, {
    cause,
    remedy: 'Start the demo with Node 22.13 or newer.',
  });

export const isWithoutCompiler = (error: unknown): boolean =>
  error instanceof UserError && error.code === 'demo-no-typescript';

/**
 * Compiles one file with Node's own compiler, which moves lines as others do. `source` is the path that the source map
 * names. Throws `UserError` when this Node has no compiler.
 */
export function compileTypeScript(text: string, { file, source }: { file: string; source: string }): Compiled {
  const MARK = '//# sourceMappingURL=data:application/json;base64,';
  const compiled = compile(text, source);
  const at = compiled.lastIndexOf(MARK);
  const map = JSON.parse(Buffer.from(compiled.slice(at + MARK.length), 'base64').toString()) as object;
  return {
    code: `${compiled.slice(0, at).trimEnd()}\n//# sourceMappingURL=${file}.map\n`,
    map: JSON.stringify({ ...map, file }),
  };
}

function compile(text: string, sourceUrl: string): string {
  try {
    return nodeModule.stripTypeScriptTypes(text, { mode: 'transform', sourceMap: true, sourceUrl });
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    throw cannotCompile(error);
  }
}

import { commonEnd } from '../../lib/commonEnd.ts';
import type { Breakpoints, Unbound } from '../breakpoints.ts';
import type { LogDraft } from '../logRecord.ts';
import type { Session } from '../model.ts';

/** Two directories that hold the same files, by a file that both have: the longest common end of its paths, taken off. */
export function pairBy(file: string, loaded: string): Readonly<{ local: string; remote: string }> {
  const [here, there] = [file.split(/[/\\]/), loaded.split('/')];
  const common = Math.min(commonEnd(here, there), here.length - 1, there.length - 1);
  const sign = file.includes('\\') ? '\\' : '/';
  return {
    local: here.slice(0, here.length - common).join(sign) || sign,
    remote: there.slice(0, there.length - common).join('/') || '/',
  };
}

/** What keeps a breakpoint from being bound, in a clause. */
export function unboundText({ file, line, said, expected, loaded }: Unbound): string {
  const why =
    loaded !== undefined && loaded !== expected
      ? `the program has loaded ${loaded}${expected === undefined ? '' : `, and ${expected} was expected`}`
      : expected !== undefined && loaded === undefined
        ? `the program has not loaded ${expected}`
        : undefined;
  return [`${file}:${line} is not bound`, why, said].filter(Boolean).join('; ');
}

/** What to do about a breakpoint that is not bound, a sentence. `runtime` is that of the container. */
export function unboundFix({ file, expected, loaded }: Unbound, runtime: string | undefined): string {
  if (loaded !== undefined && loaded !== expected) {
    const { local, remote } = pairBy(file, loaded);
    return `Map ${local} to ${remote}: these hold the same files.`;
  }
  switch (runtime) {
    case 'nodejs':
    case 'deno':
    case 'bun':
      return loaded === undefined
        ? 'If the program does load the file, it is compiled or bundled: let the build make inline source maps.'
        : 'Build the image again: the file in the container differs from the one here, or has no source map.';
    case 'python':
      return 'Map the directory that the program imports from; a package that is installed in the image is loaded from site-packages ("pip install -e" keeps it where it is).';
    case 'go':
      return 'Build with -gcflags "all=-N -l", from the same sources; or map the directory in which the program was built.';
    case 'jvm':
      return 'A class that is not loaded yet is bound when it is; otherwise build again from the same sources, with line numbers (-g).';
    default:
      return 'Map the directory that the program was built from.';
  }
}

/** What the log says when breakpoints are not bound, once for those that it has not said before. */
export function unboundDrafts(session: Session, runtime: string | undefined, now: Breakpoints): readonly LogDraft[] {
  const known = new Set((session.breakpoints?.unbound ?? []).map(({ file, line }) => `${file}:${line}`));
  return now.unbound
    .filter(({ file, line }) => !known.has(`${file}:${line}`))
    .map(one => ({
      kind: 'noticeEvent',
      source: 'attach',
      level: 'warn',
      body: { ...one, session: session.name },
      entry: `Breakpoint of ${session.name}: ${unboundText(one)}. ${unboundFix(one, runtime)}`,
    }));
}

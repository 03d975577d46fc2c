import type { Breakpoints, Unbound } from '../core/breakpoints.ts';
import { commonEnd } from '../lib/commonEnd.ts';
import { forgetOldest } from '../lib/forgetOldest.ts';
import { type Fields, fields } from './fields.ts';

/** Programs load thousands of files; those of packages do not matter here. */
const mostLoaded = 5_000;

interface Asked {
  readonly line: number;
  readonly isBound: boolean;
  readonly id?: unknown;
  readonly said?: string;
}

/** Follows the messages of one debug adapter and knows which breakpoints the program has taken (Debug Adapter Protocol). */
export class Bindings {
  /** By file: in the order in which they were asked for. */
  private readonly asked = new Map<string, readonly Asked[]>();
  /** Requests under way, by their number. */
  private readonly requests = new Map<unknown, Readonly<{ file: string; lines: readonly number[] }>>();
  /** Paths that the program has loaded, as the adapter names them. */
  private readonly loaded = new Set<string>();
  /** All breakpoints have been sent, and the program goes on. */
  isConfigured = false;

  /** A request on its way to the adapter. */
  toAdapter(message: unknown): void {
    const { type, command, seq, arguments: args } = fields(message);
    if (type !== 'request' || command !== 'setBreakpoints') return;
    const { source, breakpoints } = fields(args);
    const file = fields(source)['path'];
    const lines = Array.isArray(breakpoints) ? breakpoints.map(one => Number(fields(one)['line'])) : [];
    if (typeof file === 'string') this.requests.set(seq, { file, lines });
  }

  /** An event or a response from the adapter. Whether what is known has changed. */
  fromAdapter(message: unknown): boolean {
    const { type, event, command, body, request_seq: seq, success } = fields(message);
    if (type === 'event') return this.happened(event, fields(body));
    if (type !== 'response') return false;
    if (command === 'configurationDone') return (this.isConfigured = true);
    return command === 'setBreakpoints' && this.answered(seq, success === true, fields(body));
  }

  /** The line of each breakpoint by its file. */
  *breakpoints(): Generator<Readonly<{ file: string }> & Asked> {
    for (const [file, asked] of this.asked) for (const one of asked) yield { file, ...one };
  }

  has(path: string): boolean {
    return this.loaded.has(path);
  }

  /** The path that ends most like a file's, with at least the name and one directory the same. */
  loadedLike(file: string, isMeant: (path: string) => boolean): string | undefined {
    const wanted = file.split(/[/\\]/);
    let best: string | undefined;
    let most = 1;
    for (const path of this.loaded) {
      const common = commonEnd(wanted, path.split(/[/\\]/));
      if (common > most && isMeant(path)) [best, most] = [path, common];
    }
    return best;
  }

  private happened(event: unknown, { source, module, reason, breakpoint }: Fields): boolean {
    const path =
      event === 'loadedSource' ? fields(source)['path'] : event === 'module' ? fields(module)['path'] : undefined;
    if (typeof path === 'string') {
      this.loaded.add(path);
      forgetOldest(this.loaded, mostLoaded);
      return true;
    }
    return event === 'breakpoint' && reason !== 'removed' && this.changed(fields(breakpoint));
  }

  private answered(seq: unknown, isAnswered: boolean, { breakpoints }: Fields): boolean {
    const request = this.requests.get(seq);
    this.requests.delete(seq);
    if (!request || !isAnswered || !Array.isArray(breakpoints)) return false;
    const asked = request.lines.map((line, i) => ({ line, ...answerOf(fields(breakpoints[i])) }));
    if (asked.length > 0) this.asked.set(request.file, asked);
    else this.asked.delete(request.file);
    return true;
  }

  private changed(breakpoint: Fields): boolean {
    const { id } = breakpoint;
    for (const [file, asked] of id === undefined ? [] : this.asked)
      if (asked.some(one => one.id === id)) {
        const now = asked.map(one => (one.id === id ? { line: one.line, ...answerOf(breakpoint) } : one));
        this.asked.set(file, now);
        return true;
      }
    return false;
  }
}

function answerOf({ id, verified, message }: Fields): Omit<Asked, 'line'> {
  const said = typeof message === 'string' && message !== '' ? { said: message } : {};
  return { isBound: verified === true, ...(id === undefined ? {} : { id }), ...said };
}

/** What a debug configuration maps. */
type Mapped = Readonly<{ local: string; remote?: string }>;

/** The breakpoints that one of the adapters has taken, by a key of their own. */
export const boundIn = (adapters: Iterable<Bindings>): ReadonlySet<string> =>
  new Set([...adapters].flatMap(adapter => [...adapter.breakpoints()].filter(({ isBound }) => isBound).map(keyOf)));

const keyOf = ({ file, line }: Readonly<{ file: string; line: number }>) => JSON.stringify([file, line]);

/**
 * The breakpoints of a session whose adapters these are: one that any of them has taken is bound. VS Code sends all to each
 * session of their language, so those count that are in mapped directories, or in a file like one that is loaded, and
 * not those that are bound `elsewhere`.
 */
export function breakpointsOf(
  adapters: readonly Bindings[],
  mapped: readonly Mapped[],
  elsewhere: ReadonlySet<string> = new Set(),
): Breakpoints {
  const bound = boundIn(adapters);
  const unbound = new Map<string, Unbound>();
  for (const one of adapters.flatMap(adapter => [...adapter.breakpoints()])) {
    const key = keyOf(one);
    if (bound.has(key) || elsewhere.has(key)) continue;
    const { file, line, said } = one;
    const expected = expectedAt(file, mapped);
    const loaded = loadedAs(file, expected, adapters, mapped);
    if (loaded === undefined && !mapped.some(({ local }) => isIn(local, file))) continue;
    unbound.set(key, {
      ...{ file, line },
      ...(said === undefined ? {} : { said }),
      ...(expected === undefined ? {} : { expected }),
      ...(loaded === undefined ? {} : { loaded }),
      ...unbound.get(key),
    });
  }
  return { bound: bound.size, unbound: [...unbound.values()] };
}

/** As what the program has loaded a file: adapters name one that they have found on this disk by its path here. */
function loadedAs(
  file: string,
  expected: string | undefined,
  adapters: readonly Bindings[],
  mapped: readonly Mapped[],
) {
  const isExact = adapters.some(adapter => adapter.has(file) || (expected !== undefined && adapter.has(expected)));
  if (isExact) return expected ?? file;
  const isAnothers = (path: string) =>
    path.includes('/node_modules/') ||
    mapped.some(({ local, remote }) => isIn(local, path) || (!expected && remote !== undefined && isIn(remote, path)));
  return adapters.map(adapter => adapter.loadedLike(file, path => !isAnothers(path))).find(Boolean);
}

/** Where a file is in the container, by the deepest directory that is mapped. */
function expectedAt(file: string, mapped: readonly Mapped[]): string | undefined {
  const [deepest] = mapped
    .filter(({ local, remote }) => remote !== undefined && isIn(local, file))
    .toSorted((a, b) => b.local.length - a.local.length);
  if (!deepest) return undefined;
  const below = file.slice(deepest.local.replace(/[/\\]+$/, '').length).replaceAll('\\', '/');
  return `${deepest.remote!.replace(/\/+$/, '')}${below}`;
}

const isIn = (dir: string, file: string): boolean => {
  const top = dir.replace(/[/\\]+$/, '');
  return file.startsWith(`${top}/`) || file.startsWith(`${top}\\`);
};

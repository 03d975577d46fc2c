import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** The command line is wrong; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Options that every command takes. */
export interface CommonOptions {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** Empty: the context's own, as kubectl does. */
  readonly namespaces: readonly string[];
  /** How long to run, in milliseconds; until SIGINT when absent. */
  readonly forMs: number | undefined;
}

const common = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  namespace: { type: 'string', multiple: true },
  for: { type: 'string' },
} satisfies ParseArgsOptionsConfig;

/** A command's own options by name (as strings), the common ones, and what stands without a name. */
export interface Parsed<K extends string> {
  readonly common: CommonOptions;
  readonly own: Readonly<Partial<Record<K, string>>>;
  readonly rest: readonly string[];
}

/** Throws `UsageError` for an unknown option, a missing value or too many words. */
export function parse<K extends string>(args: readonly string[], own: readonly K[], mostWords = 0): Parsed<K> {
  const options: ParseArgsOptionsConfig = { ...common };
  for (const name of own) options[name] = { type: 'string' };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const found = values as Record<string, string | string[] | undefined>;
    if (positionals.length > mostWords) throw new UsageError(`unexpected: ${positionals.slice(mostWords).join(' ')}`);
    return {
      common: {
        kubeconfig: found['kubeconfig'] as string | undefined,
        context: found['context'] as string | undefined,
        namespaces: ((found['namespace'] as string[] | undefined) ?? []).map(namespaceOf),
        forMs: found['for'] === undefined ? undefined : 1000 * numberOf('for', found['for'] as string, forLimits),
      },
      own: Object.fromEntries(own.flatMap(name => (found[name] === undefined ? [] : [[name, found[name]]]))) as Partial<
        Record<K, string>
      >,
      rest: positionals,
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A namespace is a DNS label (Kubernetes "Object Names and IDs"); `*` stands for all of them. */
function namespaceOf(name: string): string {
  if (name === '*' || /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) return name;
  throw new UsageError(`--namespace takes the name of a namespace, or * for all of them, not "${name}"`);
}

/** Timers take no longer time, 24 days. */
const forLimits = { least: 0, most: 2_147_483 };

/** The value of an option that must be there. */
export function required<K extends string>(parsed: Parsed<K>, name: K): string {
  const value = parsed.own[name];
  if (value === undefined) throw new UsageError(`--${name} is missing`);
  return value;
}

/** A number within limits, or `UsageError`. */
export function numberOf(
  name: string,
  text: string,
  limits: { least: number; most?: number; whole?: boolean },
): number {
  const value = Number(text);
  const { least, most = Number.MAX_SAFE_INTEGER, whole = false } = limits;
  if (
    text.trim() === '' ||
    !Number.isFinite(value) ||
    value < least ||
    value > most ||
    (whole && !Number.isInteger(value))
  )
    throw new UsageError(`--${name} takes a ${whole ? 'whole ' : ''}number from ${least} to ${most}, not "${text}"`);
  return value;
}

/** A port number, or `UsageError`. */
export const portOf = (name: string, text: string): number =>
  numberOf(name, text, { least: 1, most: 65_535, whole: true });

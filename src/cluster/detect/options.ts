/** Splits the value of a variable such as `JAVA_TOOL_OPTIONS` or `NODE_OPTIONS`: any white space, quotes hold together. */
export const splitOptions = (text: string): string[] =>
  (text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map(word => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));

/** An option and the value behind its `=`. */
export function optionOf(word: string): { name: string; value: string | undefined } {
  const at = word.indexOf('=');
  return at < 0 ? { name: word, value: undefined } : { name: word.slice(0, at), value: word.slice(at + 1) };
}

/** The words before a bare `--`. */
export const beforeDashes = (words: readonly string[]): readonly string[] => {
  const at = words.indexOf('--');
  return at < 0 ? words : words.slice(0, at);
};

/** Where a server listens, as it is told on a command line: `9229`, `:9229`, `0.0.0.0:9229`, `[::1]`, `localhost`. */
export type Listen = Readonly<
  | { kind: 'port'; port: number }
  /** A host without a port. */
  | { kind: 'host' }
  /** The server takes any free port. */
  | { kind: 'random' }
  | { kind: 'invalid' }
  /** A variable that the pod does not show. */
  | { kind: 'unknown' }
>;

export function listenOf(text: string): Listen {
  if (text.includes('$')) return { kind: 'unknown' };
  const [, port] = /^(?:.*:)?(\d+)$/s.exec(text) ?? [];
  if (port === undefined) return text.endsWith(']') || !text.includes(':') ? { kind: 'host' } : { kind: 'invalid' };
  if (Number(port) > 65535) return { kind: 'invalid' };
  return Number(port) === 0 ? { kind: 'random' } : { kind: 'port', port: Number(port) };
}

/** A port number; people write it as a string too. */
export function portNumberOf(value: unknown): number | undefined {
  const port = typeof value === 'string' && /^\s*\d{1,5}\s*$/.test(value) ? Number(value) : value;
  return typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65535 ? port : undefined;
}

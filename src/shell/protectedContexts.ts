/** Whether a context is named by one of the patterns, in which `*` stands for any text; letter case does not matter. */
export const isProtected = (context: string, patterns: readonly string[]): boolean =>
  patterns.some(pattern => matcher(pattern).test(context));

const matcher = (pattern: string) => new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 'isu');

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Strings and comments of JSON as people write it. */
const STRINGS_AND_COMMENTS = /"(?:\\.|[^"\\])*"|\/\/[^\r\n]*|\/\*[^]*?\*\//g;

/** Puts spaces in place of comments and commas at the end of lists, so that every other character stays where it was. */
const plainJson = (text: string): string =>
  text
    .replace(/^\ufeff/, ' ')
    .replace(STRINGS_AND_COMMENTS, found => (found.startsWith('"') ? found : found.replace(/[^\r\n]/g, ' ')))
    .replace(/"(?:\\.|[^"\\])*"|,(?=\s*[\]}])/g, found => (found === ',' ? ' ' : found));

/** Reads JSON with comments and commas at the end of lists. Throws `SyntaxError`. */
export const parseJsonc = (text: string): unknown => JSON.parse(plainJson(text));

/**
 * Puts an item at the end of the list `name` of the outermost object, and leaves all else as it is, comments too. Returns
 * `undefined` where there is no such list. Throws `SyntaxError` for what is no JSON.
 */
export function withItem(text: string, name: string, item: unknown): string | undefined {
  parseJsonc(text);
  const plain = plainJson(text);
  const list = listIn(plain, name);
  if (!list) return undefined;
  const [, indent = ''] = /(?:^|\n)([ \t]*)[^\n]*$/.exec(plain.slice(0, list.start)) ?? [];
  const unit = indent || '  ';
  const written = JSON.stringify(item, undefined, unit).replaceAll('\n', `\n${indent}${unit}`);
  const last = plain.slice(list.start + 1, list.end).trimEnd();
  const at = list.start + 1 + last.length;
  const isEmpty = last.trim() === '';
  // A comma that stands after the last item is there already, be it behind a comment.
  const hasComma = /^\s*,/.test(withoutComments(text.slice(at, list.end)));
  const [head, tail] = hasComma ? [text.slice(0, list.end), ''] : [text.slice(0, at), text.slice(at, list.end)];
  const rest = `${tail.trimEnd()}\n${indent}${unit}${written}\n${indent}${text.slice(list.end)}`;
  return `${hasComma ? head.trimEnd() : head}${isEmpty || hasComma ? '' : ','}${rest}`;
}

const withoutComments = (text: string): string =>
  text.replace(STRINGS_AND_COMMENTS, found => (found.startsWith('"') ? found : ' '));

/** The brackets of a list in the outermost object. */
function listIn(plain: string, name: string): { start: number; end: number } | undefined {
  let depth = 0;
  let key: string | undefined;
  let start: number | undefined;
  for (const { 0: token, index } of plain.matchAll(/"(?:\\.|[^"\\])*"|[[\]{},]/g)) {
    if (token === '[' && depth === 1 && key === name) start = index;
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    else if (depth === 1 && token === ',') key = undefined;
    else if (depth === 1) key ??= JSON.parse(token) as string;
    if (token === ']' && depth === 1 && start !== undefined) return { start, end: index };
  }
  return undefined;
}

/** Text of JSON with comments and commas before a closing bracket, as people write it: strings or what is none of JSON. */
const FOREIGN = /"(?:\\.|[^"\\])*"|\/\/[^\r\n]*|\/\*[^]*?\*\//g;

/** Puts spaces in place of comments and commas at the end of lists, so that every other character stays where it was. */
export const plainJson = (text: string): string =>
  text
    .replace(/^\ufeff/, ' ')
    .replace(FOREIGN, found => (found.startsWith('"') ? found : found.replace(/[^\r\n]/g, ' ')))
    .replace(/"(?:\\.|[^"\\])*"|,(?=\s*[\]}])/g, found => (found === ',' ? ' ' : found));

/** Reads JSON with comments and commas at the end of lists. Throws `SyntaxError`. */
export const parseJsonc = (text: string): unknown => JSON.parse(plainJson(text));

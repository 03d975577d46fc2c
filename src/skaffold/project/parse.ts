import type { UserError } from '../../core/errors.ts';
import { isMapping, type Mapping } from '../../lib/mapping.ts';
import type { Document } from '../libraries.ts';
import { fileBroken, type Place } from './problems.ts';

/** A skaffold.yaml as far as it can be read. */
export type Parsed = Readonly<{
  /** One for each document that is a configuration of Skaffold, in their order. */
  documents: readonly Mapping[];
  /** What Skaffold would refuse, at most one for each document. */
  problems: readonly UserError[];
}>;

/** What has to be a list or a mapping where it is there: the parts that are read here (skaffold `schema/latest/config.go`). */
const shapes: readonly (readonly [path: readonly string[], shape: 'list' | 'mapping'])[] = [
  [['metadata'], 'mapping'],
  [['requires'], 'list'],
  [['build'], 'mapping'],
  [['build', 'artifacts'], 'list'],
  [['deploy'], 'mapping'],
  [['profiles'], 'list'],
];

/**
 * Reads the YAML documents of a skaffold.yaml. A document that is wrong hides none of the others, and gives what can be
 * made out of it. `file` is for the messages.
 */
export async function parseFile(file: string, text: string): Promise<Parsed> {
  const { isCollection, LineCounter, parseAllDocuments, visit } = await import('../libraries.ts');
  const lineCounter = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter, logLevel: 'error', merge: true, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (parsed.length === 0) return { documents: [], problems: [fileBroken(file, placeAt(0), 'the file is empty')] };

  const documents: Mapping[] = [];
  const problems: UserError[] = [];
  for (const document of parsed as readonly Document.Parsed[]) {
    const start = document.contents?.range[0] ?? document.range[0];
    const { value, error } = valueOf(document);
    const foreign = error ? { at: start, what: error } : wrongIn(value, start);
    if (!foreign && isMapping(value)) documents.push(value);
    const placed = firstSyntaxError(document) ?? foreign ?? templateKey(document) ?? wrongShape(document);
    if (placed) problems.push(fileBroken(file, placeAt(placed.at), placed.what));
  }
  return { documents, problems };

  /** A template without quotes: YAML takes the braces for a mapping whose key is a mapping. */
  function templateKey(document: Document.Parsed): Found | undefined {
    let at: number | undefined;
    visit(document, {
      Pair(_, { key }) {
        if (!isCollection(key)) return undefined;
        at = key.range?.[0] ?? 0;
        return visit.BREAK;
      },
    });
    return at === undefined ? undefined : { at, what: 'a value that begins with {{ has to be in quotes' };
  }
}

/** What is wrong, and the offset in the text. */
type Found = Readonly<{ at: number; what: string }>;

function valueOf(document: Document.Parsed): { value?: unknown; error?: string } {
  try {
    return { value: document.toJS() as unknown };
  } catch (error) {
    // An alias without its anchor, or aliases of aliases that would fill the memory.
    return { error: (error as Error).message };
  }
}

function firstSyntaxError({ errors: [first] }: Document.Parsed): Found | undefined {
  return first && { at: first.pos[0], what: first.message.replace(/[.:]\s*$/, '') };
}

function wrongIn(value: unknown, at: number): Found | undefined {
  if (value === null || value === undefined) return { at, what: 'the document is empty' };
  if (!isMapping(value)) return { at, what: `a mapping is expected and not ${kindOf(value)}` };
  const version = value['apiVersion'];
  if (version === undefined) return { at, what: '"apiVersion" is missing' };
  if (typeof version !== 'string' || !version.startsWith('skaffold/'))
    return { at, what: `"apiVersion" is ${JSON.stringify(version)} and not one of Skaffold` };
  return undefined;
}

function wrongShape(document: Document.Parsed): Found | undefined {
  for (const [path, shape] of shapes) {
    const node = document.getIn(path, true) as { toJS(of: Document): unknown; range?: readonly number[] } | undefined;
    const value = node?.toJS(document) ?? undefined;
    const isRight = shape === 'list' ? Array.isArray(value) : isMapping(value);
    if (value !== undefined && !isRight)
      return { at: node?.range?.[0] ?? 0, what: `"${path.join('.')}" has to be a ${shape} and not ${kindOf(value)}` };
  }
  return undefined;
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : isMapping(value) ? 'a mapping' : typeof value === 'string' ? 'text' : String(value);

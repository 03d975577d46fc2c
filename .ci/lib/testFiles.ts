import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { Outcome } from './outcome.ts';
import { root } from './paths.ts';

export interface TestRun {
  /** Glob below the project. */
  readonly files: string;
  /** How many test files at the same time. */
  readonly concurrency: number;
  /** What has not ended by then is ended and has failed. */
  readonly limitMs: number;
  /** Regular expressions without case; only tests whose name matches one. All without any. */
  readonly patterns: readonly string[];
  /** Says a word about each test that has passed, too: where tests are few and slow. */
  readonly isVerbose: boolean;
  /** Ends it early. */
  readonly stop: AbortSignal;
}

/** The part of the events `test:pass` and `test:fail` that is of use here. */
interface Result {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
  readonly details: { readonly duration_ms: number; readonly type?: string; readonly error?: Error };
}

const short = (file: string): string => relative(root, file);

/** Node reports a whole file as a test when it holds none, crashes, or does not end. */
const isWholeFile = ({ name, file }: Result): boolean => name === file;

/** Why a test is not counted as run, or undefined when it is. */
function skipReason({ skip, todo }: Result): string | undefined {
  const reason = skip ?? todo;
  if (reason === undefined || reason === false) return undefined;
  return typeof reason === 'string' && reason ? reason : 'no reason given';
}

function errorText(error: Error | undefined): string {
  if (error && 'failureType' in error && error.failureType === 'testAborted') return 'did not end within its time';
  const cause = error?.cause ?? error; // the runner wraps what the test threw
  return typeof cause === 'string' ? cause : inspect(cause, { depth: 6, breakLength: 120 });
}

const indented = (text: string): string => text.trimEnd().replace(/^(?=.)/gm, '    ');

/** Reads the runner's events, prints what a person has to read, and counts. */
class Reader {
  readonly outcome = new Outcome();
  private readonly output = new Map<string, string>();
  private readonly options: Pick<TestRun, 'patterns' | 'isVerbose'>;

  constructor(options: Pick<TestRun, 'patterns' | 'isVerbose'>) {
    this.options = options;
  }

  pass(result: Result): void {
    const { name, details } = result;
    const reason = skipReason(result);
    if (details.type === 'suite' && reason === undefined) return; // its tests are counted
    if (reason !== undefined) this.outcome.skipped.push(`${name} (${reason})`);
    else if (isWholeFile(result)) {
      if (this.options.patterns.length === 0) this.report(result, 'there is no test in this file');
    } else {
      this.outcome.passed++;
      if (this.options.isVerbose) console.log(`  ✓ ${name} (${(details.duration_ms / 1000).toFixed(1)} s)`);
    }
  }

  fail(result: Result): void {
    const { name, todo, details } = result;
    if (todo !== undefined && todo !== false) this.outcome.skipped.push(`${name} (to do: ${String(todo)})`);
    // The tests below this one have been reported by themselves.
    else if (details.error && 'failureType' in details.error && details.error.failureType === 'subtestsFailed')
      this.outcome.failed.push(name);
    else this.report(result, errorText(details.error));
  }

  keep(file: string | undefined, message: string): void {
    if (file) this.output.set(file, (this.output.get(file) ?? '') + message);
  }

  private report(result: Result, text: string): void {
    const { name, file, line } = result;
    const place = file ? `${short(file)}${line ? `:${line}` : ''}` : '';
    this.outcome.failed.push(isWholeFile(result) ? place : `${name} (${place})`);
    console.log(`  ✗ ${isWholeFile(result) ? 'whole file' : name} (${place})\n${indented(text)}`);
    const printed = file && this.output.get(file);
    if (printed) console.log(`    its process has printed:\n${indented(indented(printed))}`);
    if (file) this.output.delete(file);
  }
}

/** Runs test files with Node's own runner, each in a process of its own. */
export async function runTestFiles({ files, concurrency, limitMs, stop, ...options }: TestRun): Promise<Outcome> {
  const reader = new Reader(options);
  const found = globSync(files, { cwd: root }).sort();
  if (found.length === 0) {
    reader.outcome.failed.push(`no test file is called ${files}`);
    return reader.outcome;
  }
  const stream = run({
    files: found.map(file => join(root, file)),
    cwd: root,
    concurrency,
    signal: AbortSignal.any([AbortSignal.timeout(limitMs), stop]),
    ...(options.patterns.length > 0 ? { testNamePatterns: options.patterns.map(text => new RegExp(text, 'i')) } : {}),
  });
  stream
    .on('test:pass', result => reader.pass(result))
    .on('test:fail', result => reader.fail(result))
    .on('test:stdout', ({ file, message }) => reader.keep(file, message))
    .on('test:stderr', ({ file, message }) => reader.keep(file, message));
  for await (const _ of stream);
  return reader.outcome;
}

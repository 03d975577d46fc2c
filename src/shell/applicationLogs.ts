import type * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import type { SourceName } from '../core/model.ts';
import type { Row } from '../core/selectors.ts';
import { Coalesced } from '../lib/coalesce.ts';
import type { Disposable } from '../lib/disposable.ts';
import { LineBook } from '../lib/lineBook.ts';
import { oneLine } from '../lib/plainText.ts';
import type { LogEnd, Printed, ReadLog } from '../skaffold/applicationLog.ts';
import { labelText, type Translate } from './plain.ts';

type Channel = Pick<vscode.OutputChannel, 'append' | 'replace' | 'show' | 'dispose'>;

/** What `ApplicationLogs` puts to work. */
export interface ApplicationLogsParts {
  createChannel(name: string): Channel;
  /** `readApplicationLog`. */
  read(port: number, onPrinted: (printed: Printed) => void): ReadLog;
  readonly t: Translate;
}

/** So many channels are open; the one that was shown first goes when another comes. */
const MOST_CHANNELS = 20;
/** A channel is written anew from the last lines when it has got so many. */
const MOST_LINES_SHOWN = 20_000;
const MOST_CHARACTERS = 10_000;
const writeMs = 100;

interface Shown {
  readonly source: SourceName;
  readonly channel: Channel;
  readonly head: string;
  /** Of the log that it shows now. */
  book: LineBook;
  /** Not written yet. */
  waiting: string[];
  count: number;
}

/**
 * What containers print, as Skaffold tells it: a channel for each, made when somebody wants to see it. A Skaffold is not
 * asked before, and then read to its end, since one that is not read stands still.
 */
export class ApplicationLogs implements Disposable {
  private readonly logs = new Map<SourceName, Readonly<{ log: ReadLog; book: LineBook }>>();
  /** By writer. */
  private readonly shown = new Map<string, Shown>();
  private readonly write = new Coalesced(writeMs, () => this.writeAll());
  private readonly parts: ApplicationLogsParts;

  constructor(parts: ApplicationLogsParts) {
    this.parts = parts;
  }

  /** Shows what a container prints. Rejects with `UserError` for one that belongs to no Skaffold. */
  async show({ container: { pod, container }, run }: Row): Promise<void> {
    if (run === undefined || pod === '') throw noLog();
    const key = keyOf(run, pod, container);
    const { book } = this.logOf(run);
    let shown = this.shown.get(key);
    if (!shown) {
      shown = this.open(run, pod, container, book);
      this.add(key, shown);
    }
    if (shown.book !== book || shown.count === 0) {
      shown.book = book;
      this.put(shown, [shown.head, ...book.of(key)]);
    }
    shown.channel.show(true);
  }

  dispose(): void {
    this.write.dispose();
    for (const { log } of this.logs.values()) log.close();
    for (const { channel } of this.shown.values()) channel.dispose();
    this.logs.clear();
    this.shown.clear();
  }

  private open(source: SourceName, pod: string, container: string, book: LineBook): Shown {
    const name = `Breakpod: ${labelText(container, 60)} (${labelText(pod, 100)})`;
    const head = this.parts.t(
      'What {0} in pod {1} prints, as Skaffold tells it, since its present iteration began. Nothing with --tail=false.',
      labelText(container),
      labelText(pod),
    );
    return { source, channel: this.parts.createChannel(name), head, book, waiting: [], count: 0 };
  }

  private add(key: string, shown: Shown): void {
    this.shown.set(key, shown);
    const [first] = this.shown;
    if (!first || this.shown.size <= MOST_CHANNELS) return;
    this.shown.delete(first[0]);
    first[1].channel.dispose();
  }

  private logOf(source: SourceName) {
    const known = this.logs.get(source);
    if (known) return known;
    const book = new LineBook();
    const log = this.parts.read(Number(source.replace(/^.*:/, '')), printed => this.take(source, book, printed));
    const read = { log, book };
    this.logs.set(source, read);
    void log.ended.then(end => this.ended(source, end));
    return read;
  }

  private take(source: SourceName, book: LineBook, { pod, container, text }: Printed): void {
    const key = keyOf(source, pod, container);
    const lines = text
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
      .map(line => oneLine(line, MOST_CHARACTERS));
    book.add(key, lines);
    const shown = this.shown.get(key);
    if (shown) this.put(shown, lines);
  }

  /** The next `show` asks anew. */
  private ended(source: SourceName, end: LogEnd): void {
    const { t } = this.parts;
    this.logs.delete(source);
    const isOld = end === 'not-there';
    const words = isOld ? t('This Skaffold tells of no logs; v1.25 and newer do.') : t('Skaffold tells no more of it.');
    for (const shown of this.shown.values()) if (shown.source === source) this.put(shown, [words]);
  }

  private put(shown: Shown, lines: readonly string[]): void {
    for (const line of lines) shown.waiting.push(line);
    shown.count += lines.length;
    this.write.call();
  }

  private writeAll(): void {
    for (const [key, shown] of this.shown) {
      const lines = shown.waiting;
      shown.waiting = [];
      if (shown.count > MOST_LINES_SHOWN) {
        const last = [shown.head, ...shown.book.of(key)];
        shown.count = last.length;
        shown.channel.replace(textOf(last));
      } else if (lines.length > 0) shown.channel.append(textOf(lines));
    }
  }
}

const textOf = (lines: readonly string[]) => lines.map(line => `${line}\n`).join('');

const keyOf = (source: SourceName, pod: string, container: string) => JSON.stringify([source, pod, container]);

const noLog = () =>
  new UserError('log-unknown', 'Only Skaffold tells what a container prints, and this one belongs to no Skaffold.', {
    remedy: 'Read it with `kubectl logs`.',
  });

import * as vscode from 'vscode';
import type { EventLog } from '../core/eventLog.ts';
import type { LogRecord } from '../core/logRecord.ts';
import type { Container } from '../core/model.ts';
import { Disposables } from '../lib/disposable.ts';
import { oneLine } from '../lib/plainText.ts';
import { ContainerDocuments } from './containerDocuments.ts';
import { type Fields, fields } from './fields.ts';

/** Shows what the log says of one container, as a read-only document that grows while it is open. */
export class EventsDocument implements vscode.Disposable {
  private readonly own = new Disposables();
  private readonly documents: ContainerDocuments;

  constructor(log: EventLog) {
    this.documents = this.own.add(new ContainerDocuments('breakpod-events', '.log', place => textOf(log, place)));
    this.own.add(log.onDidAppend(record => this.documents.redraw(place => isAbout(record, place))));
  }

  async show(container: Container): Promise<void> {
    const { namespace, pod, container: name } = container;
    await this.documents.show(container, { namespace, pod, container: name });
  }

  dispose(): void {
    this.own.dispose();
  }
}

function textOf({ records }: EventLog, place: Fields): string {
  const lines = records.filter(record => isAbout(record, place)).map(({ time, entry }) => `${time} ${oneLine(entry)}`);
  return lines.length > 0 ? `${lines.join('\n')}\n` : vscode.l10n.t('Nothing has happened to this container yet.');
}

function isAbout({ body }: LogRecord, { namespace, pod, container }: Fields): boolean {
  const at = fields(body);
  return at['podName'] === pod && at['containerName'] === container && at['namespace'] === namespace;
}

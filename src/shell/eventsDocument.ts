import * as vscode from 'vscode';
import type { EventLog } from '../core/eventLog.ts';
import type { LogRecord } from '../core/logRecord.ts';
import type { Container } from '../core/model.ts';
import { Disposables } from '../lib/disposable.ts';
import { oneLine } from '../lib/plainText.ts';
import { fields } from './fields.ts';

const scheme = 'breakpod-events';

/** Shows what the log says of one container, as a read-only document that grows while it is open. */
export class EventsDocument implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;
  private readonly log: EventLog;

  constructor(log: EventLog) {
    this.log = log;
    this.own.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.own.add(
      log.onDidAppend(record => {
        for (const { uri } of vscode.workspace.textDocuments)
          if (uri.scheme === scheme && isAbout(record, placeOf(uri))) this.changed.fire(uri);
      }),
    );
  }

  async show({ namespace, pod, container }: Container): Promise<void> {
    const path = `/${encodeURIComponent(`${pod}:${container}`)}.log`;
    const query = JSON.stringify({ namespace, pod, container });
    const uri = vscode.Uri.from({ scheme, path, query });
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const lines = this.log.records
      .filter(record => isAbout(record, placeOf(uri)))
      .map(({ time, entry }) => `${time} ${oneLine(entry)}`);
    return lines.length > 0 ? `${lines.join('\n')}\n` : vscode.l10n.t('Nothing has happened to this container yet.');
  }

  dispose(): void {
    this.own.dispose();
  }
}

type Place = Readonly<{ namespace?: unknown; pod?: unknown; container?: unknown }>;

const placeOf = (uri: vscode.Uri): Place => fields(JSON.parse(uri.query));

function isAbout({ body }: LogRecord, { namespace, pod, container }: Place): boolean {
  const at = fields(body);
  return at['podName'] === pod && at['containerName'] === container && at['namespace'] === namespace;
}

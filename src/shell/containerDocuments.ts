import * as vscode from 'vscode';
import type { Container } from '../core/model.ts';
import { Disposables } from '../lib/disposable.ts';
import { type Fields, fields } from './fields.ts';

/** Read-only documents about one container each; `place` says which, in the query of their address. */
export class ContainerDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;
  private readonly scheme: string;
  private readonly suffix: string;
  private readonly textOf: (place: Fields) => string;

  /** `suffix` ends the name of each document, `.txt` for example. */
  constructor(scheme: string, suffix: string, textOf: (place: Fields) => string) {
    this.scheme = scheme;
    this.suffix = suffix;
    this.textOf = textOf;
    this.own.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  async show({ pod, container }: Container, place: Fields): Promise<void> {
    const path = `/${encodeURIComponent(`${pod}:${container}`)}${this.suffix}`;
    const uri = vscode.Uri.from({ scheme: this.scheme, path, query: JSON.stringify(place) });
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    this.changed.fire(uri); // what has changed while it was being opened
  }

  /** The text of those that are open has changed. */
  redraw(isConcerned: (place: Fields) => boolean = () => true): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === this.scheme && isConcerned(placeOf(uri))) this.changed.fire(uri);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.textOf(placeOf(uri));
  }

  dispose(): void {
    this.own.dispose();
  }
}

const placeOf = (uri: vscode.Uri): Fields => fields(JSON.parse(uri.query));

import * as vscode from 'vscode';
import type { Store } from '../core/store.ts';
import { rowsOf } from '../core/selectors.ts';
import { Coalesced } from '../lib/coalesce.ts';
import { Disposables } from '../lib/disposable.ts';
import { views } from './ids.ts';
import { labelText } from './plain.ts';
import { failureNow, scopeText } from './situation.ts';
import type { Watching } from './watching.ts';

const redrawMs = 50;

/** One item: what is watched and how many containers are there, or what is attached. Absent while nobody looks. */
export class StatusBar implements vscode.Disposable {
  private readonly own = new Disposables();
  private readonly item: vscode.StatusBarItem;
  private readonly store: Store;
  private readonly watching: Watching;

  constructor(store: Store, watching: Watching) {
    this.store = store;
    this.watching = watching;
    this.item = this.own.add(
      vscode.window.createStatusBarItem('breakpod.containers', vscode.StatusBarAlignment.Left, 0),
    );
    this.item.name = vscode.l10n.t('Debug Containers');
    this.item.command = `${views.containers}.focus`;
    const redraw = this.own.add(new Coalesced(redrawMs, () => this.draw()));
    this.own.add(store.onDidChange(redraw.call));
    this.own.add(watching.onDidChange(redraw.call));
    this.draw();
  }

  dispose(): void {
    this.own.dispose();
  }

  private draw(): void {
    const scope = this.watching.state;
    const { sessions, sources } = this.store.state;
    if (scope.kind === 'idle' && sessions.size === 0) return this.item.hide();
    const failure = failureNow(scope, sources.values());
    const text = this.text();
    this.item.text = `${failure ? '$(warning)' : '$(debug-alt)'} ${text}`;
    const attached = [...sessions.values()].map(({ name }) => vscode.l10n.t('Attached: {0}', labelText(name)));
    this.item.tooltip = [scopeText(scope, vscode.l10n.t), failure ? labelText(failure.message) : '', ...attached]
      .filter(Boolean)
      .join('\n');
    this.item.accessibilityInformation = {
      label: vscode.l10n.t('Breakpod: {0}', failure ? `${text}, ${labelText(failure.message)}` : text),
    };
    this.item.show();
  }

  private text(): string {
    const { t } = vscode.l10n;
    const [first, ...more] = this.store.state.sessions.values();
    if (first) return t('{0} attached', more.length > 0 ? String(more.length + 1) : labelText(first.container, 40));
    const rows = rowsOf(this.store.state);
    const scope = this.watching.state;
    const name = scope.kind === 'watching' ? labelText(scope.context, 30) : t('Debug containers');
    return rows.length > 0 ? `${name}: ${rows.length}` : name;
  }
}

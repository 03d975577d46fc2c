import * as vscode from 'vscode';
import type { Store } from '../core/store.ts';
import { runRowsOf } from '../core/runRows.ts';
import { rowsOf } from '../core/selectors.ts';
import { Coalesced } from '../lib/coalesce.ts';
import { Disposables } from '../lib/disposable.ts';
import { views } from './ids.ts';
import { labelText } from './plain.ts';
import { runLine, runNews } from './runWords.ts';
import { failureNow, scopeText, watchStates } from './situation.ts';
import type { ServedEvents } from './servedEvents.ts';
import type { Watching } from './watching.ts';

const redrawMs = 50;

/** One item: what is watched and how many containers are there, or what is attached. Absent while nobody looks. */
export class StatusBar implements vscode.Disposable {
  private readonly own = new Disposables();
  private readonly item: vscode.StatusBarItem;
  private readonly store: Store;
  private readonly watching: Watching;
  private readonly events: Pick<ServedEvents, 'served' | 'onDidChange'>;

  constructor(store: Store, watching: Watching, events: Pick<ServedEvents, 'served' | 'onDidChange'>) {
    this.store = store;
    this.watching = watching;
    this.events = events;
    this.item = this.own.add(
      vscode.window.createStatusBarItem('breakpod.containers', vscode.StatusBarAlignment.Left, 0),
    );
    this.item.name = vscode.l10n.t('Debug Containers');
    this.item.command = `${views.containers}.focus`;
    const redraw = this.own.add(new Coalesced(redrawMs, () => this.draw()));
    this.own.add(store.onDidChange(redraw.call));
    this.own.add(watching.onDidChange(redraw.call));
    this.own.add(events.onDidChange(redraw.call));
    this.draw();
  }

  dispose(): void {
    this.own.dispose();
  }

  private draw(): void {
    const { t } = vscode.l10n;
    const scope = this.watching.state;
    const { state } = this.store;
    const rows = rowsOf(state);
    const runs = runRowsOf(state, rows);
    const { served } = this.events;
    const isIdle = scope.kind === 'idle' && state.sessions.size === 0 && runs.length === 0;
    if (isIdle && !served) return this.item.hide();
    const failure = failureNow(scope, watchStates(state));
    const run = runNews(runs, t);
    const text = this.attachedText() ?? this.watchedText(rows.length);
    const isFailed = failure !== undefined || run?.isFailure === true;
    const icon = isFailed ? '$(warning)' : run ? '$(sync~spin)' : '$(debug-alt)';
    this.item.text = `${icon} ${run?.text ?? text}`;
    const attached = [...state.sessions.values()].map(({ name }) => t('Attached: {0}', labelText(name)));
    const lines = [scopeText(scope, t), failure ? labelText(failure.message) : '', ...runs.map(one => runLine(one, t))];
    const service = served ? [t('Event service: gRPC at {0}, HTTP at {1}', served.grpc, served.http)] : [];
    this.item.tooltip = [...lines, ...attached, ...service].filter(Boolean).join('\n');
    const spoken = [run?.text, text, failure && labelText(failure.message)].filter(Boolean).join(', ');
    this.item.accessibilityInformation = { label: t('Breakpod: {0}', spoken) };
    this.item.show();
  }

  private attachedText(): string | undefined {
    const [first, ...more] = this.store.state.sessions.values();
    if (!first) return undefined;
    return vscode.l10n.t('{0} attached', more.length > 0 ? String(more.length + 1) : labelText(first.container, 40));
  }

  private watchedText(rows: number): string {
    const scope = this.watching.state;
    const name = scope.kind === 'watching' ? labelText(scope.context, 30) : vscode.l10n.t('Debug containers');
    return rows > 0 ? `${name}: ${rows}` : name;
  }
}

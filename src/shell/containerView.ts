import * as vscode from 'vscode';
import type { State } from '../core/model.ts';
import type { Store } from '../core/store.ts';
import { Coalesced } from '../lib/coalesce.ts';
import { Disposables } from '../lib/disposable.ts';
import { ContextKeys } from './contextKeys.ts';
import { ContainerTree } from './containerTree.ts';
import { contextKeys, views } from './ids.ts';
import { scopeText, type ScopeState, situationOf, troubleText } from './situation.ts';
import type { Watching } from './watching.ts';

const redrawMs = 50;

/** The view: its tree, what stands around the tree, and the context keys that menus and welcome texts read. */
export class ContainerView implements vscode.Disposable {
  private readonly own = new Disposables();
  private readonly keys = new ContextKeys();
  private readonly view: vscode.TreeView<string>;
  private readonly store: Store;
  private readonly watching: Watching;

  constructor(store: Store, watching: Watching) {
    this.store = store;
    this.watching = watching;
    const tree = this.own.add(new ContainerTree(store, () => isDemo(watching.state)));
    this.view = this.own.add(vscode.window.createTreeView(views.containers, { treeDataProvider: tree }));
    const redraw = this.own.add(new Coalesced(redrawMs, () => this.draw()));
    this.own.add(store.onDidChange(redraw.call));
    this.own.add(watching.onDidChange(redraw.call));
    this.draw();
  }

  get isVisible(): boolean {
    return this.view.visible;
  }

  get onDidChangeVisibility(): vscode.Event<vscode.TreeViewVisibilityChangeEvent> {
    return this.view.onDidChangeVisibility;
  }

  dispose(): void {
    this.own.dispose();
  }

  private draw(): void {
    const { state } = this.store;
    const scope = this.watching.state;
    const attached = state.sessions.size;
    this.view.description = scopeText(scope, vscode.l10n.t);
    // A message hides the welcome text, so it is only for what rows cannot tell.
    const message = state.entries.size > 0 ? troubleText(scope, state.sources.values(), vscode.l10n.t) : undefined;
    this.view.message = message ?? '';
    const tooltip = vscode.l10n.t('Debuggers attached: {0}', attached);
    this.view.badge = attached > 0 ? { value: attached, tooltip } : undefined;
    this.keys.set(contextKeys.situation, situationOf(scope, state.sources.values()));
    this.keys.set(contextKeys.demo, isDemo(scope));
    this.keys.set(contextKeys.hasSessions, attached > 0);
    this.keys.set(contextKeys.isAttaching, isAttaching(state));
  }
}

const isDemo = (scope: ScopeState) => scope.kind === 'watching' && scope.isDemo;

const isAttaching = ({ attaches }: State) => [...attaches.values()].some(({ kind }) => kind === 'running');

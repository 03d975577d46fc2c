import * as vscode from 'vscode';
import type { State } from '../core/model.ts';
import type { Store } from '../core/store.ts';
import { Coalesced } from '../lib/coalesce.ts';
import { Disposables } from '../lib/disposable.ts';
import { ContextKeys } from './contextKeys.ts';
import { ContainerTree } from './containerTree.ts';
import { contextKeys, views } from './ids.ts';
import { scopeText, situationOf, troubleText, watchStates } from './situation.ts';
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
    const tree = this.own.add(new ContainerTree(store, () => watching.isDemo));
    this.view = this.own.add(vscode.window.createTreeView(views.containers, { treeDataProvider: tree }));
    this.own.add(tree.onDidSettle(id => this.bringInSight(id)));
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

  /**
   * VS Code draws a row folded that had nothing below it before, and makes the view smaller when a session starts; the
   * row may be out of sight by then.
   */
  private bringInSight(id: string): void {
    if (!this.view.visible) return; // it would come to the front
    const shown = this.view.reveal(id, { expand: true, select: false, focus: false });
    shown.then(undefined, () => undefined); // the row has gone meanwhile
  }

  private draw(): void {
    const { state } = this.store;
    const scope = this.watching.state;
    this.view.description = scopeText(scope, vscode.l10n.t);
    // A message hides the welcome text, so it is only for what rows cannot tell.
    const hasRows = state.entries.size > 0 || state.skaffold.size > 0;
    const message = hasRows ? troubleText(scope, watchStates(state), vscode.l10n.t) : undefined;
    this.view.message = message ?? '';
    this.keys.set(contextKeys.situation, situationOf(scope, watchStates(state)));
    this.keys.set(contextKeys.demo, this.watching.isDemo);
    this.keys.set(contextKeys.hasContainers, state.entries.size > 0);
    this.keys.set(contextKeys.hasSessions, state.sessions.size > 0);
    this.keys.set(contextKeys.hasRuns, state.skaffold.size > 0);
    this.keys.set(contextKeys.isAttaching, isAttaching(state));
  }
}

const isAttaching = ({ attaches }: State) => [...attaches.values()].some(({ kind }) => kind === 'running');

import * as vscode from 'vscode';
import { runRowsOf } from '../core/runRows.ts';
import { rowsOf } from '../core/selectors.ts';
import type { Store } from '../core/store.ts';
import { Coalesced } from '../lib/coalesce.ts';
import { Disposables } from '../lib/disposable.ts';
import { contextValueOf } from './contextValue.ts';
import { commands } from './ids.ts';
import { childrenOf, type ContainerNode, type GroupNode, type TreeNode, treeOf } from './nodes.ts';
import { Lasting } from './lasting.ts';
import { labelText } from './plain.ts';
import { artifactText, type LabelledText, runText, stepText } from './runWords.ts';
import { indexOf, parentsOf, treeChanges } from './treeChanges.ts';
import { failureLines, rowText } from './words.ts';
import type { Failure } from '../core/errors.ts';

/** A burst of changes is drawn once. */
const redrawMs = 50;

/** So long VS Code may take to draw rows that are new. */
const settleMs = 2_000;

/** Renders the rows of the store. Its elements are the ids of nodes, which stay the same when a node changes. */
export class ContainerTree implements vscode.TreeDataProvider<string>, vscode.Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<string[] | undefined>());
  readonly onDidChangeTreeData = this.changed.event;
  private readonly settled = this.own.add(new vscode.EventEmitter<string>());
  /** The row of a container whose attach has ended, well or with a failure; its tree item is drawn by then. */
  readonly onDidSettle = this.settled.event;

  private roots: readonly TreeNode[] = [];
  private nodes: ReadonlyMap<string, TreeNode> = new Map();
  private parents: ReadonlyMap<string, string> = new Map();
  /** When VS Code has drawn the last change of what is where, in the time of `performance`. */
  private settledAt = 0;
  private readonly lasting: Lasting;
  private readonly store: Store;
  private readonly isDemo: () => boolean;

  /** `isDemo`: the rows are those of the demo cluster, whose pods can be restarted and replaced. */
  constructor(store: Store, isDemo: () => boolean) {
    this.store = store;
    this.isDemo = isDemo;
    const redraw = this.own.add(new Coalesced(redrawMs, () => this.redraw()));
    this.lasting = this.own.add(new Lasting(redraw.call));
    this.own.add(store.onDidChange(redraw.call));
    this.redraw();
  }

  getChildren(parent?: string): string[] {
    const nodes = parent === undefined ? this.roots : childrenOf(this.nodes.get(parent));
    return nodes.map(({ id }) => id);
  }

  getParent(id: string): string | undefined {
    return this.parents.get(id);
  }

  getTreeItem(id: string): vscode.TreeItem {
    const node = this.nodes.get(id);
    const item = node ? itemOf(node) : new vscode.TreeItem(''); // it goes with the redraw that is on its way
    item.id = id;
    if (node) item.contextValue = contextValueOf(node, this.isDemo());
    return item;
  }

  dispose(): void {
    this.own.dispose();
  }

  private tree(): readonly TreeNode[] {
    const rows = rowsOf(this.store.state);
    const { rows: shown, runs } = this.lasting.of(rows, runRowsOf(this.store.state, rows));
    return treeOf(shown, runs);
  }

  /**
   * VS Code fails to redraw a row, and gives up the whole redraw, when that row is only on its way: after a change of
   * what is where, all is drawn for a moment.
   */
  private tell(changes: readonly string[] | 'all'): void {
    const now = performance.now();
    const isSettling = now < this.settledAt;
    if (changes === 'all' || changes.some(id => childrenOf(this.nodes.get(id)).length > 0))
      this.settledAt = now + settleMs;
    if (changes === 'all' || (isSettling && changes.length > 0)) this.changed.fire(undefined);
    else if (changes.length > 0) this.changed.fire([...changes]);
  }

  private redraw(): void {
    const { roots, nodes } = this;
    this.roots = this.tree();
    this.nodes = indexOf(this.roots);
    this.parents = parentsOf(this.roots);
    this.tell(treeChanges(roots, this.roots));
    for (const [id, node] of this.nodes) {
      const outcome = outcomeOf(node);
      if (outcome !== undefined && outcome !== outcomeOf(nodes.get(id))) this.settled.fire(id);
    }
  }
}

/** What came of the last attach to a container. */
const outcomeOf = (node: TreeNode | undefined) =>
  node?.kind === 'container' ? (node.row.session?.id ?? node.row.failure) : undefined;

const t = vscode.l10n.t;

function itemOf(node: TreeNode): vscode.TreeItem {
  switch (node.kind) {
    case 'container':
      return containerItem(node);
    case 'failure':
      return failureItem(node.row.failure!, node.id);
    case 'run':
      return labelledItem(runText(node.run, t), node);
    case 'step':
      return labelledItem(stepText(node.step, t), node);
    case 'advice':
      return failureItem(node.step.failure!, node.id);
    case 'artifact':
      return labelledItem(artifactText(node.built, t), node);
    case 'cluster':
    case 'namespace':
    case 'workload':
      return groupItem(node);
    default:
      return node satisfies never;
  }
}

function containerItem(node: ContainerNode): vscode.TreeItem {
  const { row, label, short, place } = node;
  const { look, description, tooltip, spoken } = rowText(row, label, place, t);
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(labelText(short ?? label), row.failure ? Collapsed : None);
  item.description = description;
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: spoken };
  item.iconPath = icon(look.icon, look.color);
  item.command = { command: commands.attach, title: t('Attach'), arguments: [node.id] };
  return item;
}

function failureItem(failure: Failure, id: string): vscode.TreeItem {
  const lines = failureLines(failure, t);
  const item = new vscode.TreeItem(labelText(failure.message));
  item.description = labelText(failure.remedy ?? failure.cause ?? '');
  item.tooltip = lines.join('\n');
  item.accessibilityInformation = { label: lines.join(' ') };
  item.iconPath = icon('info');
  item.command = explaining(id);
  return item;
}

function labelledItem({ label, look, description, tooltip, spoken }: LabelledText, node: TreeNode): vscode.TreeItem {
  const { None, Expanded } = vscode.TreeItemCollapsibleState;
  const isLeaf = node.kind === 'run' ? node.run.state.kind === 'offered' : childrenOf(node).length === 0;
  const item = new vscode.TreeItem(label, isLeaf ? None : Expanded);
  item.description = description;
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: spoken };
  item.iconPath = icon(look.icon, look.color);
  if (node.kind !== 'run') item.command = explaining(node.id);
  return item;
}

const explaining = (id: string): vscode.Command => ({
  command: commands.explain,
  title: t('Explain'),
  arguments: [id],
});

function groupItem({ kind, label, detail, children }: GroupNode): vscode.TreeItem {
  const item = new vscode.TreeItem(labelText(label), vscode.TreeItemCollapsibleState.Expanded);
  const count = t('{0} entries', children.length);
  if (detail) item.description = labelText(detail);
  const level = detail ?? (kind === 'cluster' ? t('Cluster') : t('Namespace'));
  item.tooltip = `${labelText(level)} ${labelText(label)}`;
  item.accessibilityInformation = { label: `${item.tooltip}, ${count}` };
  item.iconPath = icon(groupIcons[kind]);
  return item;
}

const groupIcons = { cluster: 'server', namespace: 'symbol-namespace', workload: 'package' } as const;

const icon = (name: string, color?: string) =>
  new vscode.ThemeIcon(name, color ? new vscode.ThemeColor(color) : undefined);

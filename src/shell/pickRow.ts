import * as vscode from 'vscode';
import { type Row, rowsOf } from '../core/selectors.ts';
import type { Store } from '../core/store.ts';
import { Disposables } from '../lib/disposable.ts';
import { labelText } from './plain.ts';
import { failureNow, scopeText, watchStates } from './situation.ts';
import type { Watching } from './watching.ts';
import { rowText } from './words.ts';

/** What to pick a row for. */
export interface RowQuestion {
  readonly title: string;
  /** Which rows are offered. */
  accepts(row: Row): boolean;
}

type Item = vscode.QuickPickItem & Readonly<{ row: Row }>;

/** Asks for a row; the list follows the cluster while it is open. `undefined` when the user leaves it. */
export function pickRow(store: Store, watching: Watching, question: RowQuestion): Promise<Row | undefined> {
  const own = new Disposables();
  const picker = own.add(vscode.window.createQuickPick<Item>());
  picker.title = question.title;
  picker.matchOnDescription = true;
  const draw = () => {
    const { state } = store;
    const items = itemsOf(picker.items, rowsOf(state), question);
    if (textOf(items) !== textOf(picker.items)) picker.items = items; // a new list moves the cursor
    const failure = failureNow(watching.state, watchStates(state));
    picker.busy = isConnecting(store, watching);
    picker.placeholder = failure ? labelText(failure.message) : placeholder(picker, watching);
  };
  own.add(store.onDidChange(draw));
  own.add(watching.onDidChange(draw));
  return new Promise(resolve => {
    own.add(
      picker.onDidAccept(() => {
        resolve(picker.selectedItems[0]?.row);
        picker.hide();
      }),
    );
    own.add(
      picker.onDidHide(() => {
        resolve(undefined);
        own.dispose();
      }),
    );
    draw();
    picker.show();
  });
}

/**
 * VS Code tells what was picked by its place in the list, and the list may have changed meanwhile: so rows keep their
 * places while it is open, also those that are of no use any more, and new ones come last.
 */
function itemsOf(before: readonly Item[], rows: readonly Row[], { accepts }: RowQuestion): readonly Item[] {
  const now = new Map(rows.map(row => [row.container.slot, row]));
  const kept = before.map(({ row }) => now.get(row.container.slot) ?? row);
  const known = new Set(kept.map(({ container }) => container.slot));
  const added = rows.filter(row => accepts(row) && !known.has(row.container.slot));
  return [...kept, ...added].map(itemOf);
}

const textOf = (items: readonly Item[]): string =>
  items.map(({ row, label, description }) => `${row.container.slot} ${label} ${description}`).join('\n');

function itemOf(row: Row): Item {
  const { container, pod, namespace } = row.container;
  const { look, description } = rowText(row, container, undefined, vscode.l10n.t);
  return {
    row,
    label: `$(${look.icon.replace('~spin', '')}) ${labelText(container)}`,
    description,
    detail: pod
      ? vscode.l10n.t('pod {0}, namespace {1}', labelText(pod), labelText(namespace))
      : vscode.l10n.t('in Docker'),
  };
}

const isConnecting = ({ state }: Store, { state: scope }: Watching) =>
  scope.kind === 'loading' || [...watchStates(state)].some(({ kind }) => kind === 'connecting');

const placeholder = ({ busy, items }: vscode.QuickPick<Item>, { state }: Watching): string =>
  items.length > 0 || busy
    ? vscode.l10n.t('Containers of {0}', scopeText(state, vscode.l10n.t))
    : vscode.l10n.t('No such container in {0}', scopeText(state, vscode.l10n.t));

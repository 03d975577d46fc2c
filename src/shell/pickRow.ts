import * as vscode from 'vscode';
import { type Row, rowsOf } from '../core/selectors.ts';
import type { Store } from '../core/store.ts';
import { Disposables } from '../lib/disposable.ts';
import { labelText } from './plain.ts';
import { failureNow, scopeText } from './situation.ts';
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
    picker.items = keepItems(picker.items, rowsOf(state).filter(question.accepts));
    const failure = failureNow(watching.state, state.sources.values());
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

/** A new list moves the cursor, so it is only given when it differs. */
function keepItems(before: readonly Item[], rows: readonly Row[]): readonly Item[] {
  const items = rows.map(itemOf);
  const text = (list: readonly Item[]) =>
    list.map(i => `${i.row.container.slot} ${i.label} ${i.description}`).join('\n');
  return text(before) === text(items) ? before : items;
}

function itemOf(row: Row): Item {
  const { container, pod, namespace } = row.container;
  const { look, description } = rowText(row, container, undefined, vscode.l10n.t);
  return {
    row,
    label: `$(${look.icon.replace('~spin', '')}) ${labelText(container)}`,
    description,
    detail: vscode.l10n.t('pod {0}, namespace {1}', labelText(pod), labelText(namespace)),
  };
}

const isConnecting = ({ state }: Store, { state: scope }: Watching) =>
  scope.kind === 'loading' || [...state.sources.values()].some(({ kind }) => kind === 'connecting');

const placeholder = ({ busy, items }: vscode.QuickPick<Item>, { state }: Watching): string =>
  items.length > 0 || busy
    ? vscode.l10n.t('Containers of {0}', scopeText(state, vscode.l10n.t))
    : vscode.l10n.t('No such container in {0}', scopeText(state, vscode.l10n.t));

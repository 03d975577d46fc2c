import * as vscode from 'vscode';
import { explain, type ExplainStep, type Findings, type LinkName } from '../core/explain/explain.ts';
import type { SlotId } from '../core/identity.ts';
import type { Container } from '../core/model.ts';
import { rowAt } from '../core/selectors.ts';
import type { Store } from '../core/store.ts';
import { Coalesced } from '../lib/coalesce.ts';
import { Disposables } from '../lib/disposable.ts';
import { oneLine } from '../lib/plainText.ts';
import { ContainerDocuments } from './containerDocuments.ts';
import type { Fields } from './fields.ts';
import type { Translate } from './plain.ts';
import type { Reaches } from './reaches.ts';

const redrawMs = 100;

/** Shows why a container can be debugged or cannot, as a read-only document that follows the container while it is open. */
export class ExplainDocument implements vscode.Disposable {
  private readonly own = new Disposables();
  private readonly documents: ContainerDocuments;
  private readonly store: Store;
  private readonly reaches: Reaches;
  private readonly findings: (container: Container) => Findings;

  constructor(store: Store, reaches: Reaches, findings: (container: Container) => Findings) {
    this.store = store;
    this.reaches = reaches;
    this.findings = findings;
    const textOf = ({ slot }: Fields) => this.textOf(slot as SlotId);
    this.documents = this.own.add(new ContainerDocuments('breakpod-explain', '.txt', textOf));
    const redraw = this.own.add(new Coalesced(redrawMs, () => this.documents.redraw()));
    this.own.add(store.onDidChange(redraw.call));
    this.own.add(reaches.onDidChange(redraw.call));
  }

  async show(container: Container): Promise<void> {
    this.reaches.look(container);
    await this.documents.show(container, { slot: container.slot });
  }

  dispose(): void {
    this.own.dispose();
  }

  private textOf(slot: SlotId): string {
    const { t } = vscode.l10n;
    const { state } = this.store;
    const row = rowAt(state, slot);
    if (!row) return `${t('The container is gone.')}\n`;
    const { pod, container, namespace } = row.container;
    const head = pod
      ? t('{0} in pod {1}, namespace {2}', oneLine(container), oneLine(pod), oneLine(namespace))
      : t('{0} in Docker', oneLine(container));
    const steps = explain(state, row, this.findings(row.container));
    return `${[head, '', ...steps.flatMap(step => stepLines(step, t))].join('\n')}\n`;
  }
}

function stepLines({ name, ok, detail, fix }: ExplainStep, t: Translate): readonly string[] {
  const mark = ok === 'unknown' ? '·' : ok ? '✓' : '✗';
  const line = `${mark} ${linkName(name, t)}: ${oneLine(detail)}`;
  return fix === null ? [line] : [line, `    ${t('What to do: {0}', oneLine(fix))}`];
}

function linkName(name: LinkName, t: Translate): string {
  switch (name) {
    case 'skaffold':
      return t('Skaffold');
    case 'event':
      return t('Event of Skaffold');
    case 'evidence':
      return t('Set-up for debugging');
    case 'pod':
      return t('Container');
    case 'probes':
      return t('Probes');
    case 'port':
      return t('Debug port');
    case 'forward':
      return t('Port-forward');
    case 'listener':
      return t('Debug listener');
    case 'debugger':
      return t('Debugger');
    case 'session':
      return t('Debug session');
    case 'paths':
      return t('Source paths');
    case 'breakpoints':
      return t('Breakpoints');
    default:
      return name satisfies never;
  }
}

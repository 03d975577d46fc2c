import * as vscode from 'vscode';
import type { Application } from '../core/application.ts';
import { UserError } from '../core/errors.ts';
import type { SlotId } from '../core/identity.ts';
import type { Container } from '../core/model.ts';
import { rowAt } from '../core/selectors.ts';
import type { NodeProcess } from '../debuggers/onDemand/processes.ts';
import { within } from '../lib/deadline.ts';
import type { Clusters } from './clusters.ts';
import { isWanted } from './isWanted.ts';
import { pickProcess } from './pickProcess.ts';
import { labelText } from './plain.ts';
import type { Watching } from './watching.ts';

/** What it puts to work. */
export interface InspectorParts {
  readonly app: Application;
  readonly clusters: Clusters;
  readonly watching: Watching;
}

const listLimitMs = 30_000;
/** Until the row of a container that was not watched is there. */
const rowLimitMs = 20_000;

/** Attaches to Node programs that run without an inspector, by opening it. */
export class InspectorOnDemand {
  /** Those under way: no program gets the signal twice. */
  private readonly opening = new Map<SlotId, Promise<void>>();
  private readonly parts: InspectorParts;

  constructor(parts: InspectorParts) {
    this.parts = parts;
  }

  /** Asks for a container, of all that run in what is watched. Throws `UserError`. */
  async pick(): Promise<Container | undefined> {
    const { app, clusters, watching } = this.parts;
    const access = await watching.access();
    const { state } = watching;
    const namespaces = state.kind === 'watching' ? state.namespaces : [access.namespace];
    const running = clusters.runningIn(access, namespaces, AbortSignal.timeout(listLimitMs));
    const items = running.then(containers =>
      containers
        .filter(({ slot, detection }) => mayBeNode(detection.runtime) && !rowAt(app.store.state, slot)?.isAttachable)
        .toSorted((a, b) => Number(isNode(b)) - Number(isNode(a)))
        .map(container => ({
          container,
          label: labelText(container.container),
          description: labelText(container.image),
          detail: vscode.l10n.t('pod {0}, namespace {1}', labelText(container.pod), labelText(container.namespace)),
        })),
    );
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Open the Node.js Inspector In'),
      placeHolder: vscode.l10n.t('Running containers without a debugger'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return picked?.container;
  }

  /** Opens the inspector and attaches; a second call while the first is under way joins it. Throws `UserError`. */
  attach(container: Container): Promise<void> {
    const { slot } = container;
    const under = this.opening.get(slot);
    if (under) return under;
    const done = this.run(container).finally(() => this.opening.delete(slot));
    this.opening.set(slot, done);
    return done;
  }

  private async run(container: Container): Promise<void> {
    const { app, watching } = this.parts;
    const { context } = watching.accessOf(container.cluster);
    if (!(await isWanted(context, labelText(container.container)))) return;
    if (!(await this.open(container))) return;
    watching.reload(); // now it can be debugged, which its specification does not say
    await attachableRow(app, container.slot);
    await app.attach.attach(container.slot);
  }

  /** Whether it is open now; not when the user gives up. */
  private async open(container: Container): Promise<boolean> {
    const title = vscode.l10n.t('Opening the inspector of {0}', labelText(container.container));
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return vscode.window.withProgress(options, async (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort(cancelled()));
      return this.parts.clusters.openInspector(container, pickProgram, stop.signal).catch((error: unknown) => {
        if (stop.signal.aborted) return false;
        throw error;
      });
    });
  }
}

const pickProgram = (programs: readonly NodeProcess[]): Promise<NodeProcess | undefined> =>
  pickProcess(vscode.l10n.t('Several Node.js Programs Run There: Attach To'), programs);

/** Resolves when the row can be attached to; after the limit too: the attach then says what is wrong. */
function attachableRow({ store }: Application, slot: SlotId): Promise<void> {
  const isThere = () => rowAt(store.state, slot)?.isAttachable ?? false;
  if (isThere()) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = store.onDidChange(() => {
    if (isThere()) resolve();
  });
  return within(rowLimitMs, undefined, () => promise)
    .catch(() => undefined)
    .finally(() => listening.dispose());
}

const isNode = ({ detection }: Container) => detection.runtime === 'nodejs';

const mayBeNode = (runtime: string | undefined) => runtime === undefined || runtime === 'nodejs';

const cancelled = () => new UserError('attach-cancelled', 'The attach was cancelled.');

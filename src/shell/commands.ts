import * as vscode from 'vscode';
import type { Application } from '../core/application.ts';
import { UserError } from '../core/errors.ts';
import { contextOf } from '../core/identity.ts';
import type { Container } from '../core/model.ts';
import { type Row, rowAt, rowsOf } from '../core/selectors.ts';
import type { Addresses } from './addresses.ts';
import type { ApplicationLogs } from './applicationLogs.ts';
import type { Attention } from './attention.ts';
import type { Clusters } from './clusters.ts';
import { copyText } from './copyText.ts';
import type { DemoCluster } from './demoCluster.ts';
import type { EventsDocument } from './eventsDocument.ts';
import type { ExplainDocument } from './explainDocument.ts';
import { groupHandlersOf } from './groupCommands.ts';
import type { Handler } from './handler.ts';
import { isWanted } from './isWanted.ts';
import { explainRow, explainRun, explainTrouble } from './explain.ts';
import { type CommandId, commands, views } from './ids.ts';
import { InspectorOnDemand } from './inspectorOnDemand.ts';
import { runOfId, slotOf } from './nodes.ts';
import { pickRow } from './pickRow.ts';
import { chooseContext, chooseNamespaces } from './pickScope.ts';
import { labelText } from './plain.ts';
import { runHandlersOf } from './skaffold/runCommands.ts';
import type { SkaffoldSessions } from './skaffold/sessions.ts';
import { showSample } from './samples.ts';
import { copyServedAddress, type ServedEvents, startServing } from './servedEvents.ts';
import type { Watching } from './watching.ts';
import { importCloudCode, type LaunchFor, writeLaunch } from './writeLaunch.ts';

/** What commands put to work. */
export interface CommandParts {
  readonly app: Application;
  readonly clusters: Clusters;
  readonly watching: Watching;
  readonly attention: Attention;
  readonly addresses: Addresses;
  readonly events: EventsDocument;
  readonly explanation: ExplainDocument;
  readonly demo: DemoCluster;
  readonly applicationLogs: ApplicationLogs;
  readonly skaffold: SkaffoldSessions;
  readonly servedEvents: ServedEvents;
  readonly launchFor: LaunchFor;
  /** Asks for the folder of a container's sources, and remembers it. */
  chooseSources(container: Container): Promise<void>;
  readonly log: vscode.LogOutputChannel;
}

/** All commands by id. */
export function handlersOf(parts: CommandParts): Readonly<Record<CommandId, Handler>> {
  const { app, watching, attention, addresses, events, explanation, demo, applicationLogs, servedEvents, log } = parts;
  const inspectors = new InspectorOnDemand(parts);
  const { t } = vscode.l10n;
  const onRow =
    (title: string, accepts: (row: Row) => boolean, act: (row: Row) => Promise<void>): Handler =>
    async id => {
      attention.touch();
      const row = id === undefined ? await pickRow(app.store, watching, { title, accepts }) : rowOf(app, id);
      if (row) await act(row);
    };
  return {
    [commands.attach]: onRow(t('Attach a Debugger To'), isOpenable, row => attach(parts, row)),
    [commands.openInspector]: async id => {
      attention.touch();
      const container = id === undefined ? await inspectors.pick() : rowOf(app, id).container;
      if (container) await inspectors.attach(container);
    },
    [commands.cancelAttach]: onRow(t('Cancel the Attach To'), isAttaching, row =>
      app.attach.detach(row.container.slot),
    ),
    [commands.detach]: onRow(t('Detach the Debugger From'), isAttached, row => app.attach.detach(row.container.slot)),
    [commands.focusSession]: onRow(t('Focus the Debug Session Of'), isAttached, row =>
      app.attach.attach(row.container.slot),
    ),
    [commands.explain]: async id => {
      const run = id === undefined ? undefined : runOfId(id);
      if (run !== undefined) return explainRun(app.store, run, log);
      if (id === undefined && rowsOf(app.store.state).length === 0) return explainTrouble(app.store, watching, log);
      await onRow(
        t('Explain the State Of'),
        () => true,
        row => explainRow(row, explanation, log),
      )(id);
    },
    [commands.copyAddress]: onRow(t('Copy the Debug Address Of'), isReachable, row => copyAddress(addresses, row)),
    [commands.chooseSources]: onRow(
      t('Choose the Sources Of'),
      () => true,
      row => parts.chooseSources(row.container),
    ),
    [commands.writeLaunch]: onRow(t('Write a Launch Configuration For'), isReachable, row =>
      writeLaunch(row, addresses, parts.launchFor),
    ),
    [commands.importCloudCode]: () => importCloudCode(),
    [commands.showEvents]: onRow(
      t('Show the Events Of'),
      () => true,
      row => events.show(row.container),
    ),
    [commands.openLog]: async () => log.show(),
    [commands.refresh]: async () => watching.reopen(),
    [commands.chooseContext]: async () => chooseContext(watching),
    [commands.chooseNamespaces]: async () => chooseNamespaces(watching),
    [commands.watchAllNamespaces]: async () => watching.chooseNamespaces('all'),
    [commands.startDemo]: async () => startDemo(demo, watching),
    [commands.stopDemo]: async () => demo.stop(),
    [commands.restartDemoContainer]: onRow(
      t('Restart the Container'),
      () => true,
      row => demo.restart(row.container),
    ),
    [commands.replaceDemoPod]: onRow(
      t('Replace the Pod Of'),
      () => true,
      row => demo.replace(row.container),
    ),
    [commands.showContainerLog]: onRow(t('Show the Application Log Of'), isLogged, row => applicationLogs.show(row)),
    [commands.startEventService]: () => startServing(servedEvents),
    [commands.stopEventService]: () => servedEvents.stop(),
    [commands.copyEventServiceAddress]: () => copyServedAddress(servedEvents),
    ...groupHandlersOf(parts),
    ...runHandlersOf(parts),
  };
}

const isAttached = ({ session }: Row) => session !== undefined;
const isAttaching = ({ step, followed, session }: Row) => (step !== undefined || followed !== undefined) && !session;
const isLogged = ({ run, container }: Row) => run !== undefined && container.pod !== '';
const isOpenable = (row: Row) => row.isAttachable || isAttached(row);
const isReachable = (row: Row) => isOpenable(row) && row.container.detection.port !== undefined;

/** The row as it is now; the node may have been drawn before. Throws `UserError` when it is gone. */
function rowOf({ store }: Application, id: string): Row {
  const row = rowAt(store.state, slotOf(id));
  if (!row) throw containerGone();
  return row;
}

const containerGone = () =>
  new UserError('container-gone', 'The container is gone.', {
    remedy: 'Use its successor, which appears in the view when it runs.',
  });

async function attach({ app }: CommandParts, row: Row): Promise<void> {
  const { direct, cluster } = row.container;
  if (row.isAttachable && !direct && !(await isWanted(contextOf(cluster), labelText(row.container.container)))) return;
  await app.attach.attach(row.container.slot);
}

async function copyAddress(addresses: Addresses, row: Row): Promise<void> {
  const title = vscode.l10n.t('Opening a port-forward to {0}', labelText(row.container.container));
  const options = { location: vscode.ProgressLocation.Window, title };
  const address = await vscode.window.withProgress(options, () => addresses.of(row, AbortSignal.timeout(20_000)));
  await copyText(address);
}

async function startDemo(demo: DemoCluster, watching: Watching): Promise<void> {
  const { withProgress } = vscode.window;
  const inView = { location: { viewId: views.containers } };
  const inStatusBar = {
    location: vscode.ProgressLocation.Window,
    title: vscode.l10n.t('Starting the demo cluster'),
  };
  watching.watchDemo(await withProgress(inView, () => withProgress(inStatusBar, () => demo.start())));
  await vscode.commands.executeCommand(`${views.containers}.focus`);
  const [workspace] = watching.demoFolders;
  if (workspace) await showSample(workspace);
}

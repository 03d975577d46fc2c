import * as vscode from 'vscode';
import { kubeApi } from './cluster/http/api.ts';
import { detect } from './cluster/detect/detect.ts';
import { remarksOn } from './cluster/detect/remarks.ts';
import { openForwards } from './cluster/forward/openForwards.ts';
import { watchScopes } from './cluster/watch/scopes.ts';
import { Application } from './core/application.ts';
import type { State } from './core/model.ts';
import { configurationOf } from './debuggers/configuration.ts';
import { recipes } from './debuggers/recipes.ts';
import { sourcePaths } from './debuggers/sourcePaths.ts';
import { Disposables } from './lib/disposable.ts';
import { Once } from './lib/once.ts';
import { oneLine } from './lib/plainText.ts';
import { Addresses } from './shell/addresses.ts';
import { apiOf, type BreakpodApi } from './shell/api.ts';
import { Attention } from './shell/attention.ts';
import { handlersOf } from './shell/commands.ts';
import { ContainerView } from './shell/containerView.ts';
import { VscodeDebugSessions } from './shell/debugSessions.ts';
import { DemoCluster } from './shell/demoCluster.ts';
import { EventsDocument } from './shell/eventsDocument.ts';
import { writeLog } from './shell/logChannel.ts';
import { registerCommands } from './shell/registerCommands.ts';
import { closeSamples } from './shell/samples.ts';
import { environment, kubeconfigSetting, onDidChangeSetting } from './shell/settings.ts';
import { StatusBar } from './shell/statusBar.ts';
import { type Choice, Watching } from './shell/watching.ts';
import { workspaceFiles } from './shell/workspaceFiles.ts';

const choiceKey = 'choice';

/** Everything of this window; ended in `deactivate`, which VS Code waits for. */
let own: Disposables | undefined;
let application: Application | undefined;

/** Builds, connects, registers; the cluster is not asked before somebody looks. */
export function activate(context: vscode.ExtensionContext): BreakpodApi {
  own = new Disposables();
  const log = own.add(vscode.window.createOutputChannel('Breakpod', { log: true }));
  const foreign = (text: string) => log.info(oneLine(text));

  const forwards = own.add(openForwards({ accessOf: cluster => watching.accessOf(cluster), log: foreign }));
  const sessions = own.add(new VscodeDebugSessions());
  const paths = sourcePaths(workspaceFiles(() => watching.demoFolders));
  const app = own.add(new Application(() => new Date(), { forwards, sessions, recipes, paths, configurationOf }));
  application = app;
  const told = new Once();
  const watching: Watching = own.add(
    new Watching({
      app,
      kubeconfigSetting,
      environment,
      choice: {
        get: () => context.workspaceState.get<Choice>(choiceKey, {}),
        set: choice => void context.workspaceState.update(choiceKey, choice),
      },
      sourceOf: (access, namespaces) =>
        watchScopes({
          api: kubeApi(access),
          detect,
          remarks: remarksOn,
          told,
          ...(namespaces === 'all' ? {} : { namespaces }),
          fallback: [access.namespace],
        }),
    }),
  );
  const demo = own.add(new DemoCluster(vscode.Uri.joinPath(context.extensionUri, 'out', 'demo.cjs').fsPath, foreign));

  const view = own.add(new ContainerView(app.store, watching));
  const attention = own.add(
    new Attention({
      isNeeded: () => view.isVisible || isBusy(app.store.state),
      start: () => watching.start(),
      stop: () => watching.stop(),
    }),
  );
  const addresses = own.add(new Addresses(forwards, app.store));
  const events = own.add(new EventsDocument(app.log));
  own.add(new StatusBar(app.store, watching));
  own.add(writeLog(app.log, log));
  own.add(registerCommands(handlersOf({ app, watching, attention, addresses, events, demo, log }), log));
  own.add(view.onDidChangeVisibility(attention.update));
  own.add(app.store.onDidChange(attention.update));
  own.add(
    demo.onDidEnd(() => {
      void closeSamples(watching.demoFolders);
      watching.watchDemo(undefined);
    }),
  );
  own.add(onDidChangeSetting('kubeconfig', () => watching.reload()));
  attention.update();
  return apiOf(app, () => attention.touch());
}

/** A debugger is attached, or an attach is under way. */
const isBusy = ({ sessions, attaches }: State) =>
  sessions.size > 0 || [...attaches.values()].some(({ kind }) => kind === 'running');

/** No program stays stopped; then forwards are closed, attaches under way are cancelled, the demo ends. */
export async function deactivate(): Promise<void> {
  try {
    await application?.attach.releaseAll();
  } finally {
    own?.dispose();
    own = application = undefined;
  }
}

import * as vscode from 'vscode';
import { Application } from './core/application.ts';
import { withChosen } from './core/chosenFolders.ts';
import type { ArtifactSources, SourcePaths } from './core/contracts.ts';
import type { Container, State } from './core/model.ts';
import { Owners } from './core/owners.ts';
import { reportForwards } from './core/reportForwards.ts';
import { runWith } from './core/skaffold.ts';
import { configurationOf } from './debuggers/configuration.ts';
import { recipesOf } from './debuggers/recipes.ts';
import { Disposables } from './lib/disposable.ts';
import { oneLine } from './lib/plainText.ts';
import { Addresses } from './shell/addresses.ts';
import { apiOf, type BreakpodApi } from './shell/api.ts';
import { ApplicationLogs } from './shell/applicationLogs.ts';
import { Attention } from './shell/attention.ts';
import { BoundBreakpoints } from './shell/boundBreakpoints.ts';
import { Clusters } from './shell/clusters.ts';
import { ContainerView } from './shell/containerView.ts';
import { hasType, VscodeDebugSessions } from './shell/debugSessions.ts';
import { DemoCluster } from './shell/demoCluster.ts';
import { EventsDocument } from './shell/eventsDocument.ts';
import { ExplainDocument } from './shell/explainDocument.ts';
import { fields } from './shell/fields.ts';
import { findingsOf } from './shell/findings.ts';
import { followPartsOf } from './shell/follow.ts';
import { defaultsOf } from './shell/launch/launchOptions.ts';
import { registerLaunch } from './shell/launch/registerLaunch.ts';
import { insideDebugger } from './shell/insideDebugger.ts';
import { writeLog } from './shell/logChannel.ts';
import { tellProbeKills } from './shell/probeKills.ts';
import { Reaches } from './shell/reaches.ts';
import { registerCommands } from './shell/registerCommands.ts';
import { report, showFailure } from './shell/report.ts';
import { closeSamples } from './shell/samples.ts';
import { ServedEvents } from './shell/servedEvents.ts';
import {
  environment,
  holdRedeploysSetting,
  kubeconfigSetting,
  onDidChangeSetting,
  recipesSetting,
} from './shell/settings.ts';
import { askToAttach, hasBreakpoints, isInProtectedContext } from './shell/skaffold/autoAttach.ts';
import { contextReachable } from './shell/skaffold/contextReachable.ts';
import { HoldRedeploys } from './shell/skaffold/holdRedeploys.ts';
import { SkaffoldRuns } from './shell/skaffold/runs.ts';
import { SkaffoldSessions } from './shell/skaffold/sessions.ts';
import { SourceFolders } from './shell/sourceFolders.ts';
import { StatusBar } from './shell/statusBar.ts';
import { Unasked } from './shell/unasked.ts';
import { UserRecipes } from './shell/userRecipes.ts';
import { type Choice, Watching } from './shell/watching.ts';
import { workspaceFiles } from './shell/workspaceFiles.ts';
import type { ReadLog } from './skaffold/applicationLog.ts';
import type * as Skaffold from './skaffold/later.ts';

const choiceKey = 'choice';

/** Everything of this window; ended in `deactivate`, which VS Code waits for. */
let own: Disposables | undefined;
let application: Application | undefined;
let servedEvents: ServedEvents | undefined;

/** Builds, connects, registers; the cluster is not asked before somebody looks. */
export function activate(context: vscode.ExtensionContext): BreakpodApi {
  own = new Disposables();
  const log = own.add(vscode.window.createOutputChannel('Breakpod', { log: true }));
  const foreign = (text: string) => log.info(oneLine(text));
  const program = (name: string) => vscode.Uri.joinPath(context.extensionUri, 'out', `${name}.cjs`).fsPath;

  const clusters = own.add(
    new Clusters({
      accessOf: cluster => watching.accessOf(cluster),
      store: () => app.store,
      overrides: () => userRecipes.overrides(),
      log: foreign,
    }),
  );
  const forwards = reportForwards(clusters, () => app.store);
  const sessions = own.add(new VscodeDebugSessions(own.add(new Unasked(context.globalState))));
  const files = workspaceFiles(() => watching.demoFolders);
  const sourceFolders = new SourceFolders(context.workspaceState);
  const artifacts: ArtifactSources = {
    async sourcesOf(container) {
      const { artifactSources, readFromDisk } = await import('./skaffold/later.ts');
      const runOf = (of: Container) => runWith(app.store.state, of);
      return artifactSources({ files, read: readFromDisk, runOf }).sourcesOf(container);
    },
  };
  const paths: SourcePaths = {
    async mapFor(container, ready) {
      const { sourcePaths } = await import('./debuggers/later.ts');
      return sourcePaths(files, withChosen(artifacts, sourceFolders)).mapFor(container, ready);
    },
  };
  const userRecipes = new UserRecipes(recipesSetting, problem => void report(problem, log));
  const recipes = recipesOf({ overrides: userRecipes.overrides, hasType });
  const wishesFor = (container: Container) => owners.wishesFor(container);
  const app: Application = own.add(
    new Application(() => new Date(), {
      forwards,
      sessions,
      recipes,
      paths,
      configurationOf,
      wishesFor,
      inside: insideDebugger(clusters, program('pipe')),
      follow: followPartsOf(isInProtectedContext),
    }),
  );
  application = app;
  const watching: Watching = own.add(
    new Watching({
      app,
      kubeconfigSetting,
      environment,
      choice: {
        get: () => context.workspaceState.get<Choice>(choiceKey, {}),
        set: choice => void context.workspaceState.update(choiceKey, choice),
      },
      sourceOf: (access, namespaces) => clusters.podsOf(access, namespaces),
    }),
  );
  const owners: Owners = own.add(
    new Owners({
      store: app.store,
      attach: app.attach,
      isProtected: isInProtectedContext,
      hasBreakpoints: container => hasBreakpoints(container, app.store.state),
      ask: askToAttach,
    }),
  );
  const runs = own.add(new SkaffoldRuns(app));
  const defaults = defaultsOf(context.extension.packageJSON);
  own.add(registerLaunch({ defaults, log }));
  const skaffold = own.add(
    new SkaffoldSessions({
      ...{ app, owners, runs, watching, debugSessions: sessions },
      defaults,
      async preflight(launch, onContext, signal) {
        const { preflight, readFromDisk } = await import('./skaffold/later.ts');
        return preflight(
          launch,
          {
            env: environment(),
            read: readFromDisk,
            contextReachable(kubeconfig, name, stop) {
              if (name !== undefined) onContext(name);
              return contextReachable(kubeconfig, name, stop);
            },
          },
          signal,
        );
      },
      async start(launch, signal) {
        const { startSkaffold } = await import('./skaffold/later.ts');
        return startSkaffold(launch, signal, { guard: program('guard') });
      },
    }),
  );
  const applicationLogs = own.add(
    new ApplicationLogs({
      createChannel: name => vscode.window.createOutputChannel(name),
      read: readLater,
      t: vscode.l10n.t,
    }),
  );
  const demo = own.add(new DemoCluster(program('demo'), foreign));
  const served = new ServedEvents(app, versionOf(context.extension.packageJSON));
  servedEvents = served;

  const view = own.add(new ContainerView(app.store, watching));
  const attention = own.add(
    new Attention({
      isNeeded: () => view.isVisible || skaffold.isBusy || served.served !== undefined || isBusy(app.store.state),
      start: () => {
        watching.start();
        runs.start();
      },
      stop: () => {
        watching.stop();
        runs.stop();
      },
    }),
  );
  own.add(new BoundBreakpoints(app.store));
  const addresses = own.add(new Addresses(forwards, app.store));
  const events = own.add(new EventsDocument(app.log));
  const reaches = own.add(new Reaches(app.store, { forwards: clusters, recipes, paths }));
  const findings = (container: Container) => ({
    ...reaches.of(container),
    ...findingsOf(container, recipes, sessions),
  });
  const explanation = own.add(new ExplainDocument(app.store, reaches, findings));
  own.add(new StatusBar(app.store, watching, served));
  own.add(writeLog(app.log, log));
  own.add(tellProbeKills(app.store, failure => void showFailure(failure, log)));
  own.add(
    registerCommands(async () => {
      const { handlersOf } = await import('./shell/commands.ts');
      return handlersOf({
        ...{ app, clusters, watching, attention, addresses, events, explanation, demo, applicationLogs, skaffold, log },
        servedEvents: served,
        chooseSources: container => sourceFolders.choose(container, artifacts),
        launchFor: async ({ container }, port) => {
          const recipe = recipes.recipeFor(container, wishesFor(container)?.configuration);
          return configurationOf(recipe, container, { host: '127.0.0.1', port }, await paths.mapFor(container, {}));
        },
      });
    }, log),
  );
  own.add(view.onDidChangeVisibility(attention.update));
  own.add(app.store.onDidChange(attention.update));
  own.add(skaffold.onDidChange(attention.update));
  own.add(vscode.debug.onDidChangeBreakpoints(() => owners.look()));
  own.add(
    demo.onDidEnd(() => {
      void closeSamples(watching.demoFolders);
      watching.watchDemo(undefined);
    }),
  );
  own.add(onDidChangeSetting('kubeconfig', () => watching.reload()));
  own.add(
    onDidChangeSetting('recipes', () => {
      userRecipes.forget();
      watching.reload();
    }),
  );
  own.add(served.onDidChange(attention.update));
  const serving = (work: () => Promise<void>) => void work().catch((error: unknown) => report(error, log));
  own.add(onDidChangeSetting('eventService', () => serving(() => served.follow())));
  for (const port of ['eventServiceGrpcPort', 'eventServiceHttpPort'] as const)
    own.add(onDidChangeSetting(port, () => serving(() => served.restart())));
  own.add(new HoldRedeploys({ store: app.store, isWanted: holdRedeploysSetting }));
  attention.update();
  serving(() => served.follow());
  return apiOf(app, () => attention.touch(), findings);
}

/** What a Skaffold's containers print. */
function readLater(...args: Parameters<typeof Skaffold.readApplicationLog>): ReadLog {
  const log = import('./skaffold/later.ts').then(({ readApplicationLog }) => readApplicationLog(...args));
  return { ended: log.then(({ ended }) => ended), close: () => void log.then(one => one.close()) };
}

/** A debugger is attached or comes back, or an attach is under way. */
const isBusy = ({ sessions, attaches, following }: State) =>
  sessions.size > 0 || following.size > 0 || [...attaches.values()].some(({ kind }) => kind === 'running');

const versionOf = (manifest: unknown): string => String(fields(manifest)['version']);

/** No program stays stopped, and readers of the events get the last of them; then forwards are closed, attaches under way are cancelled, the demo ends. */
export async function deactivate(): Promise<void> {
  try {
    await Promise.all([application?.attach.releaseAll(), servedEvents?.stop()]);
  } finally {
    own?.dispose();
    own = application = servedEvents = undefined;
  }
}

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../lib/disposable.ts';
import { report } from '../report.ts';
import { kubeconfigSetting } from '../settings.ts';
import { firstLaunches, offeredLaunches } from './choices.ts';
import { attachOf, debugType, launchOf, type LaunchPlace, withDefaults } from './launchOptions.ts';
import { chooseProject } from './pickProject.ts';
import { folderOf, foldersOnDisk, projectsIn } from './workspaceProjects.ts';

/** What the launch configurations of our debug type need. */
export interface LaunchParts {
  /** Of the manifest. */
  readonly defaults: LaunchPlace['defaults'];
  readonly log: vscode.LogOutputChannel;
}

/** Offers launch configurations, completes those that leave something out, and refuses what cannot be understood. */
export function registerLaunch(parts: LaunchParts): Disposable {
  const { Initial, Dynamic } = vscode.DebugConfigurationProviderTriggerKind;
  const own = new Disposables();
  const register = (
    provider: vscode.DebugConfigurationProvider,
    trigger: vscode.DebugConfigurationProviderTriggerKind,
  ) => own.add(vscode.debug.registerDebugConfigurationProvider(debugType, provider, trigger));
  register(new Resolver(parts), Initial);
  register({ provideDebugConfigurations: (folder, token) => offer(firstLaunches, folder, token) }, Initial);
  register({ provideDebugConfigurations: (folder, token) => offer(offeredLaunches, folder, token) }, Dynamic);
  return own;
}

/** What a configuration of a workspace folder goes by. */
export const launchPlace = (
  folder: vscode.WorkspaceFolder | undefined,
  defaults: LaunchPlace['defaults'],
): LaunchPlace => {
  const kubeconfig = kubeconfigSetting();
  return {
    home: homedir(),
    defaults,
    ...(folder?.uri.scheme === 'file' ? { folder: folder.uri.fsPath } : {}),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
  };
};

async function offer(
  launches: typeof offeredLaunches,
  folder: vscode.WorkspaceFolder | undefined,
  token?: vscode.CancellationToken,
): Promise<vscode.DebugConfiguration[]> {
  const [where] = folder ? [folder] : foldersOnDisk();
  if (where?.uri.scheme !== 'file') return [];
  return [...launches(await projectsIn(where, token), folderOf(where), vscode.l10n.t)];
}

class Resolver implements vscode.DebugConfigurationProvider {
  private readonly parts: LaunchParts;

  constructor(parts: LaunchParts) {
    this.parts = parts;
  }

  /** Before variables are replaced, so that defaults may have some. Without a launch.json the configuration is empty. */
  async resolveDebugConfiguration(
    folder: vscode.WorkspaceFolder | undefined,
    written: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    try {
      const configuration = isComplete(written, folder) ? written : await complete(written, folder);
      if (!configuration) return undefined;
      const { launch, attach } = this.parts.defaults;
      return withDefaults(configuration, configuration.request === 'attach' ? attach : launch);
    } catch (error) {
      void report(error, this.parts.log);
      return undefined;
    }
  }

  resolveDebugConfigurationWithSubstitutedVariables(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration | undefined {
    const place = launchPlace(folder, this.parts.defaults);
    try {
      if (configuration.request === 'attach') attachOf(configuration, place);
      else launchOf(configuration, place);
      return configuration;
    } catch (error) {
      void report(error, this.parts.log);
      return undefined;
    }
  }
}

/** Says what to do; the default file of a launch goes by a folder. */
const isComplete = ({ request, skaffoldFile }: vscode.DebugConfiguration, folder: vscode.WorkspaceFolder | undefined) =>
  request === 'attach' || (request === 'launch' && (skaffoldFile !== undefined || folder !== undefined));

async function complete(
  written: vscode.DebugConfiguration,
  folder: vscode.WorkspaceFolder | undefined,
): Promise<vscode.DebugConfiguration | undefined> {
  const chosen = await chooseProject(folder ? [folder] : foldersOnDisk());
  return chosen && { ...chosen, ...filled(written), request: chosen.request };
}

/** The fields that have a value; VS Code gives an empty configuration with empty ones. */
const filled = (written: vscode.DebugConfiguration): Partial<vscode.DebugConfiguration> =>
  Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined && value !== ''));

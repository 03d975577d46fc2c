import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import type { FollowRule } from '../core/follow/follower.ts';
import { settings } from './ids.ts';
import { withProxy } from './proxyEnvironment.ts';

/** The kubeconfig that the user named, `~` put in; `undefined` when the usual files count. */
export function kubeconfigSetting(): string | undefined {
  const path = configuration().get<string>(settings.kubeconfig)?.trim();
  if (!path) return undefined;
  return /^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : path;
}

/** The environment of this process, with the proxy of VS Code's own settings. */
export const environment = (): NodeJS.ProcessEnv =>
  withProxy(
    process.env,
    configuration().get<string>('http.proxy'),
    configuration().get<string[]>('http.noProxy') ?? [],
  );

/** Patterns of the contexts in which attaching asks first. */
export const protectedContextsSetting = (): readonly string[] =>
  configuration().get<string[]>(settings.protectedContexts) ?? [];

/** The user's own debuggers, as they are written. */
export const recipesSetting = (): unknown => configuration().get<unknown>(settings.recipes);

/** What becomes of a debugger whose program goes away; what is not a rule counts as the default. */
export function followSetting(): FollowRule {
  const rule = configuration().get<string>(settings.follow);
  return rule === 'ask' || rule === 'never' ? rule : 'always';
}

/** Whether a Skaffold applies no changes while a program is paused. */
export const holdRedeploysSetting = (): boolean => configuration().get<boolean>(settings.holdRedeploys) ?? false;

/** Whether the event service starts by itself, and where it listens; 0 is any port that is free. */
export const eventServiceSettings = () => ({
  isEnabled: configuration().get<boolean>(settings.eventService) ?? false,
  grpcPort: portOf(settings.eventServiceGrpcPort),
  httpPort: portOf(settings.eventServiceHttpPort),
});

/** A port setting; throws `UserError` for what is no port. */
function portOf(setting: string): number {
  const port = configuration().get<number>(setting) ?? 0;
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UserError('bad-setting', `The setting ${setting} has to be a port from 0 to 65535.`, {
    cause: JSON.stringify(port),
    remedy: 'Correct it; 0 takes any port that is free.',
    actions: [{ kind: 'openSetting', label: 'Open Setting', key: setting }],
  });
}

/** Calls `listener` when one of our settings changes. */
export const onDidChangeSetting = (key: keyof typeof settings, listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration(settings[key])) listener();
  });

/** Defaults stand in the manifest only. */
const configuration = () => vscode.workspace.getConfiguration();

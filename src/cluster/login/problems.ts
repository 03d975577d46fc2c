import { UserError } from '../../core/errors.ts';
import { oneLine } from '../../lib/plainText.ts';
import type { PluginEntry } from '../kubeconfig/entries.ts';

/** A certificate, key or token file of the kubeconfig that cannot be read; `cause` names it. */
export const loginUnreadable = (context: string, cause: unknown): UserError =>
  new UserError('login-unreadable', `The login of the context "${context}" cannot be read.`, {
    cause,
    remedy: 'Correct the path or the content in the kubeconfig.',
  });

/** A kind of login that kubectl itself has dropped, or is about to. */
export const loginOutdated = (context: string, provider: string): UserError =>
  new UserError('login-outdated', `The context "${context}" logs in with the auth-provider "${provider}".`, {
    remedy: `Breakpod supports its successor, credential plugins (exec). ${SUCCESSORS[provider] ?? SUCCESSORS['oidc']!}`,
  });

const SUCCESSORS: Readonly<Record<string, string>> = {
  gcp: 'Install gke-gcloud-auth-plugin and run "gcloud container clusters get-credentials" again.',
  azure: 'Install kubelogin and run "kubelogin convert-kubeconfig".',
  oidc: 'Set up an exec plugin such as kubelogin ("kubectl oidc-login setup").',
};

/** The plugin does not exist. */
export const pluginMissing = (plugin: PluginEntry, cause?: unknown): UserError =>
  new UserError('plugin-missing', `The credential plugin "${oneLine(plugin.command, 200)}" was not found.`, {
    cause,
    remedy: plugin.installHint
      ? oneLine(plugin.installHint)
      : 'Install it, or put it on the PATH that the editor was started with.',
  });

/** The plugin needs a terminal, which there is none of here. */
export const pluginNeedsTerminal = (plugin: PluginEntry): UserError =>
  new UserError('plugin-interactive', `The credential plugin "${oneLine(plugin.command, 200)}" asks questions.`, {
    cause: 'interactiveMode: Always',
    remedy: 'Log in in a terminal, and set interactiveMode to IfAvailable if the plugin can then go on by itself.',
  });

/** The plugin ran and gave no credentials; `problem` ends the sentence, `words` are those of the plugin. */
export const pluginFailed = (plugin: PluginEntry, problem: string, words: unknown): UserError =>
  new UserError('plugin-failed', `The credential plugin "${oneLine(plugin.command, 200)}" ${problem}.`, {
    cause: typeof words === 'string' ? oneLine(words.trim()) || undefined : words,
    remedy: `Run "kubectl get pods" in a terminal to log in.${plugin.installHint ? ` ${oneLine(plugin.installHint)}` : ''}`,
  });

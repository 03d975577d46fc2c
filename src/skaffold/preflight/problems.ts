import { type Action, rawText, UserError } from '../../core/errors.ts';
import { oneLine } from '../../lib/plainText.ts';
import { oldestVersion } from './version.ts';

const openLaunchJson: Action = {
  kind: 'command',
  label: 'Open launch.json',
  command: 'workbench.action.debug.configure',
};

/** `looked` tells where. */
export const skaffoldMissing = (binary: string, looked: string): UserError =>
  new UserError('skaffold-missing', `Skaffold was not found as "${binary}".`, {
    cause: looked,
    remedy:
      `Install Skaffold ${oldestVersion} or newer, or give its path as "skaffoldPath" in launch.json. ` +
      'A PATH that has changed is seen when VS Code is started again.',
    actions: [openLaunchJson],
  });

/** It is there, and cannot be run. */
export const skaffoldBroken = (file: string, cause: unknown): UserError =>
  new UserError('skaffold-broken', `The Skaffold at ${file} cannot be run.`, {
    cause,
    remedy: 'Install it anew for this machine, or give the path of another one as "skaffoldPath" in launch.json.',
    actions: [openLaunchJson],
  });

/** `version` is what the binary prints. */
export const skaffoldOld = (file: string, version: string): UserError =>
  new UserError('skaffold-old', `The Skaffold at ${file} is too old.`, {
    cause: `it is ${oneLine(version, 100)}`,
    remedy: `Install version ${oldestVersion} or newer, or give the path of another one as "skaffoldPath" in launch.json.`,
    actions: [openLaunchJson],
  });

/** Skaffold calls it for nearly everything. */
export const kubectlMissing = (looked: string): UserError =>
  new UserError('kubectl-missing', 'kubectl was not found, which Skaffold deploys with.', {
    cause: looked,
    remedy: 'Install kubectl; a PATH that has changed is seen when VS Code is started again.',
  });

/** A module or profile of launch.json that no file has; `near` is one that may be meant. */
export const nameUnknown = (
  kind: 'module' | 'profile',
  name: string,
  { file, known, near }: Readonly<{ file: string; known: readonly string[]; near: string | undefined }>,
): UserError =>
  new UserError(`skaffold-${kind}-unknown`, `${file} has no ${kind} "${name}".`, {
    cause: known.length > 0 ? `it has ${known.slice(0, 20).join(', ')}` : `it has no ${kind} with a name`,
    remedy: near ? `Did you mean "${near}"? Correct it in launch.json.` : 'Correct it in launch.json.',
    actions: [openLaunchJson],
  });

/** The files do not come from the disk within the limit. */
export const projectSlow = (file: string, cause: unknown): UserError =>
  new UserError('skaffold-file-slow', `${file} could not be read in time.`, {
    cause,
    remedy: 'Try again; a network drive may be away.',
  });

/** The check itself failed, or did not end; the words of the cluster's own problems are better and go before. */
export const contextUnreachable = (context: string | undefined, cause: unknown): UserError =>
  new UserError(
    'context-unreachable',
    context ? `The cluster of the context "${context}" cannot be reached.` : 'The cluster cannot be reached.',
    { cause, remedy: 'Check that `kubectl get pods` works, or choose another "kubeContext" in launch.json.' },
  );

/** Several things at once, in one error, so that they can be mended in one go. */
export function together(name: string, errors: readonly UserError[]): UserError {
  const [first] = errors;
  if (first && errors.length === 1) return first;
  const unique = (texts: readonly (string | undefined)[]) => [...new Set(texts.filter(Boolean))].join(' ');
  return new UserError('preflight-failed', `"${name}" cannot be started. ${unique(errors.map(e => e.message))}`, {
    cause: unique(errors.map(({ cause }) => (cause === undefined ? undefined : `${rawText(cause)};`))).replace(
      /;$/,
      '',
    ),
    remedy: unique(errors.map(({ remedy }) => remedy)),
    actions: [...new Map(errors.flatMap(({ actions }) => actions).map(action => [action.label, action])).values()],
  });
}

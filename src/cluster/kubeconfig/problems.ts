import { UserError } from '../../core/errors.ts';

/** There is no kubeconfig at all; the view then shows how to get one. */
export const noKubeconfig = (files: readonly string[]): UserError =>
  new UserError('no-kubeconfig', 'There is no kubeconfig.', {
    cause: files.length > 0 ? `looked for ${files.join(', ')}` : 'KUBECONFIG names no file',
    remedy: 'Set up access to a cluster so that "kubectl get pods" works, or choose a kubeconfig file.',
  });

/** The file that the user named does not exist. */
export const kubeconfigMissing = (file: string): UserError =>
  new UserError('kubeconfig-missing', `The kubeconfig ${file} does not exist.`, {
    remedy: 'Choose another kubeconfig file.',
  });

/** A file that cannot be read as a kubeconfig; `problem` ends the sentence. */
export const kubeconfigBroken = (file: string, problem: string, cause?: unknown): UserError =>
  new UserError('kubeconfig-broken', `The kubeconfig ${file} ${problem}.`, {
    cause,
    remedy: 'Correct the file, or take it out of KUBECONFIG.',
  });

/** No context is chosen and the kubeconfig names no current one. */
export const noContext = (names: readonly string[]): UserError =>
  new UserError('no-context', 'The kubeconfig names no current context.', {
    remedy:
      names.length > 0 ? `Choose one of its contexts: ${names.slice(0, 10).join(', ')}.` : 'It has none to choose.',
  });

/** The context is not in the kubeconfig (any more). */
export const contextMissing = (context: string): UserError =>
  new UserError('context-missing', `The kubeconfig has no context "${context}".`, {
    remedy: 'Choose another context.',
  });

/** The context is there but cannot be used; `problem` is a sentence. */
export const contextBroken = (context: string, problem: string): UserError =>
  new UserError('context-broken', `The context "${context}" cannot be used: ${problem}`, {
    remedy: 'Correct the kubeconfig, or choose another context.',
  });

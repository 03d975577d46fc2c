import { homedir } from 'node:os';
import { environment } from '../settings.ts';

/** Asks the cluster of a context for its version. Throws `UserError` when there is no such context, or no answer. */
export async function contextReachable(
  kubeconfig: string | undefined,
  context: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { accessOf, ApiError, kubeApi, loadKubeconfig, toUserError } = await import('../../cluster/later.ts');
  const place = { env: environment(), home: homedir(), ...(kubeconfig ? { explicitFile: kubeconfig } : {}) };
  const access = accessOf(await loadKubeconfig(place), context);
  try {
    (await kubeApi(access).get('/version', signal)).resume();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.status === 403) return; // who may not ask this may deploy all the same
    throw toUserError(error, access);
  }
}

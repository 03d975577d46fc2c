import { homedir } from 'node:os';
import { ApiError } from '../../cluster/access.ts';
import { kubeApi } from '../../cluster/http/api.ts';
import { toUserError } from '../../cluster/http/problems.ts';
import { loadKubeconfig } from '../../cluster/kubeconfig/load.ts';
import { accessOf } from '../../cluster/login/access.ts';
import { environment } from '../settings.ts';

/** Asks the cluster of a context for its version. Throws `UserError` when there is no such context, or no answer. */
export async function contextReachable(
  kubeconfig: string | undefined,
  context: string | undefined,
  signal: AbortSignal,
): Promise<void> {
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

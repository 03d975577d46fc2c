import { homedir } from 'node:os';
import type { Access, KubeApi } from '../cluster/access.ts';
import { kubeApi } from '../cluster/http/api.ts';
import { loadKubeconfig } from '../cluster/kubeconfig/load.ts';
import { accessOf } from '../cluster/login/access.ts';
import type { CommonOptions } from './options.ts';

/** A cluster as the options of a command name it. */
export interface Connection {
  readonly access: Access;
  readonly api: KubeApi;
  /** Namespaces to look at; `undefined` stands for all of them. */
  readonly namespaces: readonly (string | undefined)[];
}

/** Reads the kubeconfig as kubectl would. Throws `UserError`. */
export async function connect({ kubeconfig, context, namespaces }: CommonOptions): Promise<Connection> {
  const place = { env: process.env, home: homedir(), ...(kubeconfig ? { explicitFile: kubeconfig } : {}) };
  const access = accessOf(await loadKubeconfig(place), context);
  const chosen = namespaces.length > 0 ? namespaces : [access.namespace];
  return { access, api: kubeApi(access), namespaces: chosen.includes('*') ? [undefined] : chosen };
}

/** A signal that aborts at `signal` or after the time that `--for` gives. */
export const runningTime = (signal: AbortSignal, { forMs }: CommonOptions): AbortSignal =>
  forMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(forMs)]);

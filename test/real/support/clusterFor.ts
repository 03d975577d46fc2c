import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { After } from '../../integration/demo/support.ts';
import { down } from '../cluster/down.ts';
import { until } from '../cluster/run.ts';
import { leftovers, tracesOf } from '../cluster/leftovers.ts';
import { obstacle } from '../cluster/needs.ts';
import type { Cluster, ClusterOptions } from '../cluster/state.ts';
import { applyPods, up } from '../cluster/up.ts';

const reason = obstacle();

/** For suites that need a real node: where there can be none they are skipped, and fail where CI is set. */
export const skip: string | false = reason !== undefined && !process.env['CI'] ? reason : false;

export interface ClusterForOptions extends ClusterOptions {
  readonly name: string;
  /** Without the pods of `manifests/pods.yaml` its namespaces are there, and empty. */
  readonly hasPods?: boolean;
}

/** A cluster with the test pods that ends after the tests; that it leaves something behind is a failure. */
export async function clusterFor(after: After, { hasPods = true, ...options }: ClusterForOptions): Promise<Cluster> {
  await down(options.name); // what a run that was killed has left
  const cluster = await up(options);
  const traces = tracesOf(cluster);
  after(async () => {
    await down(options.name);
    // A neighbour that is just starting may have taken over a number or a link and not written it down yet.
    const isClean = async () => (await leftovers(traces)).length === 0;
    await until('nothing to be left', isClean, { timeoutMs: 15_000 }).catch(() => undefined);
    assert.deepEqual(await leftovers(traces), []);
  });
  if (hasPods) await applyPods(cluster);
  return cluster;
}

/** As a raw client of the API server needs it: of the administrator, or of whoever has the token. */
export function loginOf({ work, server }: Cluster, token?: string) {
  const pki = (file: string) => readFileSync(join(work, 'pki', file), 'utf8');
  const credentials = token === undefined ? { cert: pki('admin.crt'), key: pki('admin.key') } : { token };
  return { server: new URL(server), ca: pki('ca.crt'), ...credentials };
}

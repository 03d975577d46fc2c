import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError } from '../../src/cluster/access.ts';
import { linesOf } from '../../src/cluster/watch/body.ts';
import type { PodRef } from '../../src/core/contracts.ts';
import { eventually } from '../integration/demo/support.ts';
import { type ContractCluster, get, logIn, podOf } from './cluster.ts';

const limit = { timeout: 120_000 };

const logPath = ({ namespace, pod }: PodRef, query: string): string =>
  `/api/v1/namespaces/${namespace}/pods/${pod}/log?${query}`;

/** A container's log (Kubernetes API, `pods/log`). */
export function logsContract(cluster: () => ContractCluster): void {
  test('logs: the whole, the last line, each line with its time', limit, async () => {
    const { web } = cluster().workloads;
    const login = await logIn(cluster(), 'developer');
    const pod = await podOf(login, web);
    const read = (query: string) => get(login, logPath(pod, `container=${web.containers[0]}${query}`));
    const all = await read('');
    assert.match(all, /^Debugger listening on ws:/);
    assert.equal((await read('&tailLines=1')).split('\n').length, 2);
    assert.match(await read('&timestamps=true&limitBytes=200'), /^\d{4}-\d\d-\d\dT[\d:.]+Z Debugger listening/);
  });

  test('logs: followed until the container ends, then the run before it', limit, async () => {
    const { flags } = cluster().workloads;
    const login = await logIn(cluster(), 'admin');
    const pod = await podOf(login, flags);
    const container = flags.containers[0]!;
    const signal = AbortSignal.timeout(60_000);
    const response = await login.api.get(logPath(pod, `container=${container}&follow=true`), signal);
    const lines: string[] = [];
    const followed = (async () => {
      for await (const some of linesOf(response, { signal, idleMs: () => 60_000 })) lines.push(...some);
    })();
    await eventually('the first line', () => lines[0]);
    await cluster().restartContainer(pod, container);
    await followed;
    assert.match(lines[0]!, /^Debugger listening/);
    const previous = await eventually('the log of the run before', () =>
      get(login, logPath(pod, `container=${container}&previous=true`)).catch((error: unknown) => {
        if (error instanceof ApiError) return undefined; // the next run has not started
        throw error;
      }),
    );
    assert.equal(previous.split('\n')[0], lines[0]);
  });

  test('logs: which container has to be said, and has to be there', limit, async () => {
    const { pair } = cluster().workloads;
    const login = await logIn(cluster(), 'admin');
    const pod = await podOf(login, pair);
    await assert.rejects(get(login, logPath(pod, '')), (error: ApiError) => {
      assert.equal(error.status, 400);
      assert.match(error.message, /a container name must be specified for pod \S+, choose one of: \[/);
      for (const container of pair.containers) assert.ok(error.message.includes(container), error.message);
      return true;
    });
    await assert.rejects(get(login, logPath(pod, 'container=nobody')), (error: ApiError) => {
      assert.equal(error.status, 400);
      assert.match(error.message, /container nobody is not valid for pod/);
      return true;
    });
    await assert.rejects(get(login, logPath({ ...pod, pod: 'nobody' }, '')), { status: 404 });
  });
}

import https from 'node:https';
import { homedir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Credentials } from '../../src/cluster/access.ts';
import { loadKubeconfig } from '../../src/cluster/kubeconfig/load.ts';
import { accessOf } from '../../src/cluster/login/access.ts';

/** As much as the bench reads of an object of the API. */
export interface ApiObject {
  readonly code?: number;
  readonly gitVersion?: string;
  readonly items?: readonly ApiObject[];
  readonly status?: {
    readonly nodeInfo?: { readonly containerRuntimeVersion: string };
    readonly containerStatuses?: readonly { readonly ready: boolean; readonly containerID?: string }[];
  };
}

/** A real cluster, for what the bench needs to put there: JSON in, JSON out. */
export class RealCluster {
  readonly kubeconfig: string;
  private readonly server: URL;
  private readonly agent: https.Agent;
  private readonly headers: Credentials['headers'];

  private constructor(kubeconfig: string, server: URL, { headers, tls }: Credentials) {
    this.kubeconfig = kubeconfig;
    this.server = server;
    this.headers = headers;
    this.agent = new https.Agent({ keepAlive: true, ...tls });
  }

  static async open(kubeconfig: string): Promise<RealCluster> {
    const access = accessOf(await loadKubeconfig({ env: process.env, home: homedir(), explicitFile: kubeconfig }));
    return new RealCluster(kubeconfig, access.server, await access.credentials());
  }

  /** Throws for every status from 300 on but those that are `accepted`. */
  async call(
    method: string,
    path: string,
    body?: object,
    { type = 'application/json', accepted = [] as readonly number[] } = {},
  ): Promise<ApiObject> {
    const headers = { ...this.headers, ...(body ? { 'content-type': type } : {}) };
    const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = https.request(new URL(path, this.server), { agent: this.agent, method, headers }, response => {
        let all = '';
        response.on('data', (chunk: Buffer) => (all += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: all }));
      });
      request.on('error', reject);
      request.end(body && JSON.stringify(body));
    });
    if (status >= 300 && !accepted.includes(status))
      throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as ApiObject;
  }

  /** `Kubernetes v1.37.2, containerd://1.6.20`. */
  async versions(): Promise<string> {
    const { gitVersion } = await this.call('GET', '/version');
    const { items } = await this.call('GET', '/api/v1/nodes?limit=1');
    return `Kubernetes ${gitVersion}, ${items?.[0]?.status?.nodeInfo?.containerRuntimeVersion}`;
  }

  /** Waits, at most two minutes, until an object is as `isSo` wants it, and gives it. */
  async until(path: string, isSo: (object: ApiObject) => boolean): Promise<ApiObject> {
    for (let tries = 0; tries < 240; tries++) {
      const object = await this.call('GET', path, undefined, { accepted: [404] });
      if (isSo(object)) return object;
      await delay(500);
    }
    throw new Error(`waited too long for ${path}`);
  }
}

/** Runs `work` for the numbers below `count`, some at a time. */
export async function inParallel(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Pod } from '../../../src/demo/api/objects.ts';
import { startDemo, type Demo, type DemoOptions } from '../../../src/demo/demo.ts';

export const sources = fileURLToPath(new URL('../../../media/demo', import.meta.url));

/** What `t` and a suite's `after` have in common. */
export type After = (run: () => Promise<void> | void) => void;

/** For `before` hooks, whose own `after` runs as soon as the hook is over. Called in the body of a suite. */
export function afterSuite(): After {
  const runs: (() => Promise<void> | void)[] = [];
  after(async () => {
    while (runs.length > 0) await runs.pop()!();
  });
  return run => void runs.push(run);
}

/** A directory that goes after the tests. */
export function temporaryDirectory(after: After): string {
  const directory = mkdtempSync(join(tmpdir(), 'demo-test-'));
  after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A demo cluster that ends after the tests, by default with nothing in it. */
export async function demoFor(after: After, options: Partial<DemoOptions> = {}): Promise<Demo> {
  const directory = temporaryDirectory(after);
  const demo = await startDemo({ directory, sources, workloads: [], java: 'off', ...options });
  after(() => demo.stop());
  return demo;
}

/** Waits until `look` gives something. The bound is for a broken build, not a measure of speed. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const end = Date.now() + 30_000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) assert.fail(`waited in vain for ${what}`);
    await delay(50);
  }
}

interface Login {
  readonly server: URL;
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

/** Reads one context of the kubeconfig that the demo wrote. */
export async function loginOf(demo: Demo, context = 'breakpod-demo'): Promise<Login> {
  type Named = { name: string; user: Record<string, string>; cluster: Record<string, string> };
  const file = JSON.parse(await readFile(demo.kubeconfigFile, 'utf8')) as { clusters: Named[]; users: Named[] };
  const cluster = file.clusters[0]!.cluster;
  const user = file.users.find(({ name }) => name === context)!.user;
  const plain = (text: string | undefined) => text && Buffer.from(text, 'base64').toString();
  const fields = {
    cert: plain(user['client-certificate-data']),
    key: plain(user['client-key-data']),
    token: user['token'],
  };
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    server: new URL(cluster['server']!),
    ca: plain(cluster['certificate-authority-data'])!,
    ...(Object.fromEntries(set) as object),
  };
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends one request; resolves with the head of the answer. */
export function send(login: Login, path: string, asked: Asked = {}): Promise<IncomingMessage> {
  const { server, token, ...tls } = login;
  const headers: Record<string, string> = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...asked.headers };
  return new Promise((resolve, reject) => {
    const { method = 'GET', signal, body } = asked;
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
    const options = { ...tls, method, headers, agent: false as const, ...(signal ? { signal } : {}) };
    const request = httpsRequest(new URL(path, server), options);
    request.once('response', resolve).once('error', reject);
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('upgraded'));
    });
    request.end(body);
  });
}

export interface Answer {
  readonly code: number;
  readonly body: Body;
}

/** The fields that tests look at. */
export interface Body {
  readonly kind?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: Record<string, unknown>;
  readonly metadata: {
    readonly continue?: string;
    readonly remainingItemCount?: number;
    readonly resourceVersion?: string;
  };
  readonly items: readonly Pod[];
  readonly status?: { readonly allowed?: boolean };
}

/** One request and its whole answer, JSON. */
export async function ask(login: Login, path: string, asked?: Asked): Promise<Answer> {
  const response = await send(login, path, asked);
  return { code: response.statusCode!, body: JSON.parse(await contentOf(response)) as Body };
}

/** The whole answer as it is. */
export const textOf = async (login: Login, path: string): Promise<string> => contentOf(await send(login, path));

async function contentOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export interface WatchEvent {
  readonly type: string;
  readonly object: Pod & { readonly code?: number; readonly reason?: string; readonly message?: string };
}

/** An open watch: its events so far, and how it ended. */
export class Watching {
  readonly events: WatchEvent[] = [];
  ended: 'not yet' | 'in good order' | 'broken' = 'not yet';
  private readonly control = new AbortController();

  static async open(login: Login, path: string): Promise<Watching> {
    const watching = new Watching();
    const response = await send(login, path, { signal: watching.control.signal });
    assert.equal(response.statusCode, 200);
    const lines = createInterface({ input: response });
    lines.on('line', line => watching.events.push(JSON.parse(line) as WatchEvent));
    lines.on('error', () => undefined); // told by `ended`
    response.once('close', () => (watching.ended = response.complete ? 'in good order' : 'broken'));
    response.on('error', () => undefined); // told by `ended`
    return watching;
  }

  /** `ADDED shop/web`, `BOOKMARK` and so on. */
  get words(): string[] {
    return this.events.map(({ type, object }) =>
      type === 'BOOKMARK' || type === 'ERROR' ? type : `${type} ${object.metadata.namespace}/${object.metadata.name}`,
    );
  }

  async until(count: number): Promise<string[]> {
    await eventually(
      `${count} events, there are: ${this.words.join(', ')}`,
      () => this.events.length >= count || undefined,
    );
    return this.words;
  }

  async untilEnd(): Promise<'in good order' | 'broken'> {
    return eventually('the end of the watch', () => (this.ended === 'not yet' ? undefined : this.ended));
  }

  close(): void {
    this.control.abort();
  }
}

/** A pod that only the API knows: no process stands behind it. */
export function plainPod(namespace: string, name: string, labels: Record<string, string> = {}): Pod {
  return {
    metadata: { namespace, name, uid: `uid-of-${name}`, creationTimestamp: '2026-01-01T00:00:00Z', labels },
    spec: { containers: [{ name: 'main', image: 'none' }], restartPolicy: 'Always', terminationGracePeriodSeconds: 30 },
    status: { phase: 'Running' },
  };
}

/** Whether a process is there; a zombie that nobody has read yet is not. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat === undefined || !/\) Z /.test(stat);
}

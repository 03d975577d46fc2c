import type { ServerResponse } from 'node:http';
import type { ContainerStatus, Pod } from '../../../src/cluster/pods/pod.ts';
import type { Answer } from './server.ts';

export const annotation = 'debug.cloud.google.com/config';

export interface PodOptions {
  readonly uid?: string;
  readonly namespace?: string;
  readonly debuggable?: boolean;
  readonly status?: Partial<ContainerStatus>;
  readonly phase?: string;
  readonly env?: string;
}

/** A pod with one container `app` that runs, its fields in the order in which API servers write them. */
export function pod(name: string, version: number, options: PodOptions = {}): Pod {
  const { uid = `uid-${name}`, namespace = 'shop', debuggable = true, status = {}, phase = 'Running', env } = options;
  const config = JSON.stringify({ app: { artifact: 'app', runtime: 'nodejs', ports: { devtools: 9229 } } });
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: String(version),
      annotations: debuggable ? { [annotation]: config } : { team: 'x' },
    },
    spec: {
      containers: [
        { name: 'app', image: 'registry.example/app:1', ...(env ? { env: [{ name: 'TEXT', value: env }] } : {}) },
      ],
    },
    status: {
      phase,
      containerStatuses: [
        {
          name: 'app',
          ready: true,
          restartCount: 0,
          containerID: `containerd://${uid}-0`,
          state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
          ...status,
        },
      ],
    },
  };
}

export const line = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;
export const added = (object: Pod): string => line('ADDED', object);
export const modified = (object: Pod): string => line('MODIFIED', object);
export const deleted = (object: Pod): string => line('DELETED', object);

export const bookmark = (version: number, isEnd = false): string =>
  line('BOOKMARK', {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      resourceVersion: String(version),
      creationTimestamp: null,
      ...(isEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    },
  });

export const failureStatus = (code: number, message: string, reason?: string): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  message,
  ...(reason ? { reason } : {}),
});

/** Sends the initial events and stays open. */
export function sendList(response: ServerResponse, version: number, ...pods: Pod[]): void {
  response.write(pods.map(added).join('') + bookmark(version, true));
}

/** Answers with the initial events, then the given lines, and stays open. */
export const list =
  (version: number, pods: Pod[], ...lines: string[]): Answer =>
  response => {
    sendList(response, version, ...pods);
    if (lines.length > 0) response.write(lines.join(''));
  };

/** Answers with lines and stays open. */
export const stream =
  (...lines: string[]): Answer =>
  response => {
    response.flushHeaders();
    if (lines.length > 0) response.write(lines.join(''));
  };

/** The same, and ends in good order. */
export const thenEnd =
  (answer: Answer): Answer =>
  (response, request, n) => {
    answer(response, request, n);
    response.end();
  };

/** Answers with an HTTP error. */
export const refuse =
  (code: number, message: string, headers: Record<string, string> = {}, reason?: string): Answer =>
  response => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(failureStatus(code, message, reason)));
  };

/** Answers with one page of a list. */
export const page =
  (version: number, pods: Pod[], next = ''): Answer =>
  response => {
    const items = pods.map(({ metadata, spec, status }) => ({ metadata, spec, status }));
    const metadata = { resourceVersion: String(version), ...(next ? { continue: next } : {}) };
    response.end(JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items }));
  };

/** The same pod in a later run of its container. */
export const ready = (of: Pod, version: number, restartCount = 0): Pod =>
  pod(of.metadata!.name!, version, {
    status: { restartCount, containerID: `containerd://${of.metadata!.name}-${restartCount}` },
  });

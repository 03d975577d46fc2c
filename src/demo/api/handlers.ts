import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Kubelet } from '../kubelet/kubelet.ts';
import { accessReview } from './accessReview.ts';
import { acceptOf, jsonBody, sendJson, sendText } from './bodies.ts';
import { DISCOVERY } from './discovery.ts';
import { listPods } from './listPods.ts';
import type { Namespaces } from './namespaces.ts';
import { jsonEncoding, tableEncoding, type PodEncoding } from './podEncoding.ts';
import type { PodStore, StoredPod } from './podStore.ts';
import { sendPodLog } from './podLog.ts';
import type { RequestInfo, ResourcePath } from './requestInfo.ts';
import { podFilter } from './selectors.ts';
import { badRequest, conflict, methodNotAllowed, noSuchResource, notFound } from './status.ts';
import type { User } from './users.ts';
import { watchPods, type WatchBehaviour } from './watchPods.ts';

/** What the handlers work on. */
export interface Cluster {
  readonly store: PodStore;
  readonly kubelet: Kubelet;
  readonly namespaces: Namespaces;
  readonly watches: WatchBehaviour;
}

interface Call {
  readonly info: RequestInfo;
  readonly user: User;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers one request that has been authorized. Throws a `StatusError`. */
export async function handle(cluster: Cluster, call: Call): Promise<void> {
  const { info, response } = call;
  const { resource, method, path } = info;
  if (!resource) {
    const answer = DISCOVERY[path.length > 1 ? path.replace(/\/$/, '') : path];
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
    if (answer) sendJson(response, 200, answer);
    else if (/^\/(healthz|livez|readyz)$/.test(path)) response.end('ok');
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n');
    return;
  }
  const { group, version, resource: kind, subresource } = resource;
  const full = [`${group === '' ? '' : `${group}/`}${version}`, kind, ...(subresource ? [subresource] : [])].join('/');
  switch (full) {
    case 'v1/pods':
      return await handlePods(cluster, call, resource);
    case 'v1/pods/log':
      if (method !== 'GET') throw methodNotAllowed();
      return sendPodLog(cluster.kubelet, podOf(cluster, resource).pod, info.query, response);
    case 'v1/pods/exec':
    case 'v1/pods/portforward':
      podOf(cluster, resource);
      throw badRequest('Upgrade request required');
    case 'v1/events':
      if (info.attributes.verb !== 'list') throw methodNotAllowed();
      return sendJson(
        response,
        200,
        cluster.kubelet.events.list(resource.namespace, info.query, cluster.store.version),
      );
    case 'coordination.k8s.io/v1/leases':
      if (info.attributes.verb !== 'list') throw methodNotAllowed();
      return sendJson(
        response,
        200,
        cluster.kubelet.leases.list(resource.namespace, info.query, cluster.store.version),
      );
    case 'v1/namespaces':
      return handleNamespaces(cluster, call, resource);
    case 'authorization.k8s.io/v1/selfsubjectaccessreviews':
      if (method !== 'POST') throw methodNotAllowed();
      return sendJson(response, 201, await accessReview(call.user, call.request));
    default:
      throw noSuchResource();
  }
}

/** The pod that a path names. Throws 404. */
export function podOf({ store }: Cluster, { namespace, name }: ResourcePath): StoredPod {
  if (namespace === undefined || name === undefined) throw noSuchResource();
  const stored = store.get(namespace, name);
  if (!stored) throw notFound('pods', name);
  return stored;
}

async function handlePods(cluster: Cluster, call: Call, resource: ResourcePath): Promise<void> {
  const { info, request, response } = call;
  const { store } = cluster;
  switch (info.attributes.verb) {
    case 'get':
      return sendText(response, 200, podEncoding(request, info.query).one(podOf(cluster, resource)));
    case 'list': {
      const page = listPods(store, podFilter(resource.namespace, info.query), info.query);
      return sendText(response, 200, podEncoding(request, info.query).list(page));
    }
    case 'watch': {
      const filter = podFilter(resource.namespace, info.query);
      const encoding = podEncoding(request, info.query);
      return watchPods({ store, filter, query: info.query, encoding, behaviour: cluster.watches }, response);
    }
    case 'delete':
      return deletePod(cluster, call, podOf(cluster, resource));
    default:
      throw methodNotAllowed();
  }
}

async function deletePod(cluster: Cluster, { info, request, response }: Call, stored: StoredPod): Promise<void> {
  const options = (await jsonBody(request)) as {
    gracePeriodSeconds?: number;
    preconditions?: { uid?: string };
    dryRun?: string[];
  };
  const { name, namespace, uid } = stored.pod.metadata;
  const wanted = options.preconditions?.uid;
  if (wanted !== undefined && wanted !== uid)
    throw conflict(
      'Pod',
      name,
      `the UID in the precondition (${wanted}) does not match the UID in record (${uid}). ` +
        'The object might have been deleted and then recreated',
    );
  const asked = info.query.get('gracePeriodSeconds') ?? options.gracePeriodSeconds;
  const seconds = Number(asked ?? stored.pod.spec.terminationGracePeriodSeconds);
  if (!Number.isFinite(seconds) || seconds < 0) throw badRequest(`invalid gracePeriodSeconds: ${asked}`);
  if (!options.dryRun?.length) cluster.kubelet.delete(namespace, name, seconds * 1000);
  sendText(response, 200, jsonEncoding.one(cluster.store.get(namespace, name) ?? stored));
}

function handleNamespaces(cluster: Cluster, { info, request, response }: Call, { name }: ResourcePath): void {
  const { namespaces, store } = cluster;
  const { verb } = info.attributes;
  if (verb !== 'get' && verb !== 'list') throw methodNotAllowed();
  const whole = name === undefined ? namespaces.list(store.version) : namespaces.get(name);
  sendJson(response, 200, acceptOf(request) === 'table' ? namespaces.table(store.version, name) : whole);
}

const podEncoding = (request: IncomingMessage, query: URLSearchParams): PodEncoding =>
  acceptOf(request) === 'table' ? tableEncoding(query.get('includeObject') ?? 'Metadata') : jsonEncoding;

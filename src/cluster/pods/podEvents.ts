import type { Container, KillVerdict } from '../../core/model.ts';
import { mappingAt, textAt, type Mapping } from '../../lib/mapping.ts';
import { oneLine } from '../../lib/plainText.ts';
import type { KubeApi } from '../access.ts';
import { itemsOf } from './itemsOf.ts';

const MOST_CHARACTERS = 300;

/** The events of a container's pod. Needs the right to list events. Throws `ApiError`, or the connection's error. */
export function podEventsOf(
  api: KubeApi,
  { namespace, podUid }: Container,
  signal: AbortSignal,
): Promise<readonly Mapping[]> {
  const query = new URLSearchParams({ fieldSelector: `involvedObject.uid=${podUid}`, limit: '500' });
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events?${query.toString()}`;
  return itemsOf(api, path, signal);
}

/**
 * What events say about the end of a container's run that began at `since`: the kubelet tells why it kills one, and before
 * that how each probe has failed (kubernetes `pkg/kubelet/kuberuntime/kuberuntime_manager.go`, `pkg/kubelet/prober/prober.go`).
 */
export function verdictOf(events: readonly Mapping[], container: string, since: string | undefined): KillVerdict {
  const own = events.filter(event => isAbout(event, container) && !isBefore(event, since));
  for (const pattern of [killing, unhealthy])
    for (const event of own) {
      const message = textAt(event, 'message') ?? '';
      const probe =
        textAt(event, 'reason') === pattern.reason ? pattern.words.exec(message)?.[1]?.toLowerCase() : undefined;
      if (probe === 'liveness' || probe === 'startup')
        return { kind: 'said', probe, words: oneLine(message, MOST_CHARACTERS) };
    }
  return { kind: 'other' };
}

const killing = { reason: 'Killing', words: /failed (liveness|startup) probe/ };
const unhealthy = { reason: 'Unhealthy', words: /^(Liveness|Startup) probe (?:failed|errored)/ };

/** `spec.containers{NAME}`, or that of another list. */
const isAbout = (event: Mapping, container: string): boolean =>
  textAt(mappingAt(event, 'involvedObject'), 'fieldPath')?.endsWith(`{${container}}`) ?? false;

/** Events are counted up for an hour: the last time counts. */
function isBefore(event: Mapping, since: string | undefined): boolean {
  const last = textAt(event, 'lastTimestamp') ?? textAt(mappingAt(event, 'series'), 'lastObservedTime');
  const at = last ?? textAt(event, 'eventTime');
  return at !== undefined && since !== undefined && Date.parse(at) < Date.parse(since);
}

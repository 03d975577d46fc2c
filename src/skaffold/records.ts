import type { SkaffoldDraft } from '../core/skaffold.ts';
import { oneLine } from '../lib/plainText.ts';
import { mappingAt } from '../lib/mapping.ts';
import { type Fields, numberOf, textOf } from '../proto/fields.ts';
import type { SkaffoldEvent } from './event.ts';

/** What the log has of an event. Its line for people is Skaffold's own where there is one. */
export const draftOf = (event: SkaffoldEvent): SkaffoldDraft => ({
  kind: event.kind || 'unknownEvent',
  level: isFailure(event) ? 'warn' : 'info',
  body: event.body,
  entry: oneLine(event.entry || entryOf(event)),
  time: event.time,
});

/** A cache without the artifact is no failure. */
const isFailure = ({ body }: SkaffoldEvent): boolean =>
  textOf(body, 'status') === 'Failed' && textOf(body, 'step') !== 'Cache';

/** v2 has no lines for people, and some of v1's are empty. */
function entryOf({ kind, body }: SkaffoldEvent): string {
  const status = textOf(body, 'status');
  switch (kind) {
    case '':
      return 'Skaffold sent an event that is newer than this version of Breakpod';
    case 'metaEvent':
      return textOf(body, 'entry') || 'Skaffold started';
    case 'terminationEvent':
      return withError('Skaffold ended', mappingAt(body, 'err'));
    case 'debuggingContainerEvent':
      return `Debuggable container ${status.toLowerCase()} pod/${textOf(body, 'podName')}:${textOf(body, 'containerName')} (${textOf(body, 'namespace')})`;
    case 'portEvent':
      return `Forwarding container ${textOf(body, 'containerName')} to local port ${numberOf(body, 'localPort')}`;
    default:
      return withError([titleOf(kind, body), status].filter(Boolean).join(' '), mappingAt(body, 'actionableErr'));
  }
}

const withError = (text: string, error: Fields): string => [text, textOf(error, 'message')].filter(Boolean).join(': ');

/** `Build shop-web`, `StatusCheck deployment/web`, or the event's name. */
function titleOf(kind: string, body: Fields): string {
  if (kind === 'taskEvent') return textOf(body, 'task');
  const subject = textOf(body, 'artifact') || textOf(body, 'resource') || textOf(body, 'id');
  return [kind.replace(/(Subtask)?Event$/, ''), subject, textOf(body, 'step')].filter(Boolean).join(' ');
}

import { attachDraft, type LogDraft } from '../logRecord.ts';
import type { Following } from '../model.ts';

/** A debugger is lost and comes back. */
export const followingDraft = (following: Following): LogDraft =>
  attachDraft(
    'Lost',
    following,
    `Debugger lost: ${following.name}. It is attached again when its container, or the one that takes its place, runs`,
  );

/** It does not come back; `why` unless the user has said so. */
export const unfollowedDraft = (following: Following, why: string | undefined): LogDraft => ({
  kind: 'noticeEvent',
  source: 'attach',
  level: why === undefined ? 'info' : 'warn',
  body: {},
  entry: `${following.name} is not attached again${why === undefined ? '' : `: ${why}`}`,
});

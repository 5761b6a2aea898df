import { boolean, choice, epochMs, type Known, list, or, orNull, text, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { CHECK_STATES } from '../rules/concern.ts';

const notice = object(
  {
    key: words,
    title: words,
    /** What was seen; empty where there is nothing to say. */
    detail: or(text, ''),
    /** What the host can do. */
    remedy: or(text, ''),
    since: epochMs,
    /** Since when it is well again; it is over once that lasted. Null while it is not. */
    wellSince: orNull(epochMs),
    isUrgent: or(boolean, false),
  },
  ['key', 'title', 'since'],
);
export type Notice = Known<typeof notice>;

/** `GET /api/admin/notices`. */
export const noticesAnswer = object({
  /** What is wrong now, the longest first. */
  notices: list(notice),
  /** Every check and its result. */
  checks: list(object({ what: words, state: choice(CHECK_STATES) }, ['what', 'state'])),
  /** Whether the caller wants to be told of it by message. */
  isWanted: or(boolean, true),
  /** Whether the caller has a chat or device that messages can be delivered to. */
  isReachable: or(boolean, true),
});
export type NoticesAnswer = Known<typeof noticesAnswer>;

/** `PUT /api/admin/notices/wanted`. */
export const wantedAnswer = object({ isWanted: boolean });

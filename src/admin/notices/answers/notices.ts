import { boolean, choice, epochMs, type Known, list, or, orNull, text, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { CHECK_STATES } from '../rules/concern.ts';

const notice = object(
  {
    key: words,
    title: words,
    detail: or(text, ''),
    remedy: or(text, ''),
    since: epochMs,
    /** Start of recovery; the notice ends when that has lasted. Null while it is wrong. */
    wellSince: orNull(epochMs),
    isUrgent: or(boolean, false),
  },
  ['key', 'title', 'since'],
);
export type Notice = Known<typeof notice>;

export const noticesAnswer = object({
  notices: list(notice),
  checks: list(object({ what: words, state: choice(CHECK_STATES) }, ['what', 'state'])),
  isWanted: or(boolean, true),
  /** Whether the caller has a chat or device that works. */
  isReachable: or(boolean, true),
});
export type NoticesAnswer = Known<typeof noticesAnswer>;

export const wantedAnswer = object({ isWanted: boolean });

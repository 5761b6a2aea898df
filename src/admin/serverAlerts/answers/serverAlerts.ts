import {
  boolean,
  choice,
  count,
  epochMs,
  type Known,
  list,
  or,
  orNull,
  text,
  words,
} from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { CHECK_STATES } from '../rules/healthCheck.ts';

const serverAlert = object(
  {
    key: words,
    title: words,
    detail: or(text, ''),
    remedy: or(text, ''),
    since: epochMs,
    /** Start of recovery; the server alert ends when recovery has lasted. Null while the problem continues. */
    wellSince: orNull(epochMs),
    isUrgent: or(boolean, false),
  },
  ['key', 'title', 'since'],
);
export type ServerAlert = Known<typeof serverAlert>;

export const serverAlertsAnswer = object({
  notices: list(serverAlert),
  checks: list(object({ what: words, state: choice(CHECK_STATES) }, ['what', 'state'])),
  isWanted: or(boolean, true),
  /** Whether the caller has a working chat or device. */
  isReachable: or(boolean, true),
  /** Number of other things that wait for an administrator. */
  waiting: always(object({ upgradeRequests: or(count, 0), calls: or(count, 0) })),
  /** Whether relays can connect. */
  hasRelays: or(boolean, false),
});
export type ServerAlertsAnswer = Known<typeof serverAlertsAnswer>;

export const wantedAnswer = object({ isWanted: boolean });

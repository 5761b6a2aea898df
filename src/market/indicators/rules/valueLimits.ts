import { accessLevel, type SubscriptionType } from '#platform/http/rules/accessLevel.ts';

/** Different indicator values that are served to all users together. */
export const MAX_VALUES_SERVED = 200;

/** Different values that one user's columns, selection, scans and active alerts may read together. */
const MAX_VALUES_FREE = 20;
const MAX_VALUES_PAID = 100;

/** A free account is new for so long: in a shortage it is served last, so that many accounts made at once push out nobody. */
export const NEW_ACCOUNT_MS = 7 * 24 * 60 * 60 * 1000;

type Rights = { subscriptionType: SubscriptionType; isAdmin: boolean };

/** How many values a user may read; an administrator as many as a plan that is paid for. */
export const valueLimitOf = (rights: Rights): number =>
  accessLevel(rights) > 1 ? MAX_VALUES_PAID : MAX_VALUES_FREE;

/** How a sentence names the limit: 'your Free plan has 20', 'at most 100 are served'. */
export const limitText = (limit: number): string =>
  limit === MAX_VALUES_FREE ? `the Free plan has ${limit}` : `at most ${limit} are served`;

/** Why a value that somebody reads is not served: more than the user's own limit, or more than all have together. */
export type WaitingReason = 'plan' | 'server';

/** A column or an alert's condition that shows nothing, as its value is not served. `reason` is a sentence. */
export type WaitingColumn = { id: string; label: string; reason: string };

/** Why something waits, as a sentence. */
export const waitingText = (why: WaitingReason, limit: number): string =>
  why === 'plan'
    ? `The Free plan has ${limit} indicator values for columns, scans and alerts together, and alerts come first.`
    : `The server can compute ${MAX_VALUES_SERVED} indicator values in all, and more are in use. Alerts go first, then Premium, then Basic, then the oldest accounts.`;

/** Begins the sentence that says for which values an alert waits. */
export const WAITS_FOR_VALUE = 'Not checked: ';

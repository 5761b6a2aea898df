import { accessLevel, PLAN_LIMITS, type SubscriptionType } from '#platform/http/rules/accessLevel.ts';

export const MAX_VALUES_SERVED = 200;

export const NEW_ACCOUNT_MS = 7 * 24 * 60 * 60 * 1000;

type Rights = { subscriptionType: SubscriptionType; isAdmin: boolean };

/** Different values of one user's columns, selection, scans and active alerts together. */
export const valueLimitOf = (rights: Rights): number => PLAN_LIMITS[accessLevel(rights)].values;

export const limitText = (limit: number): string =>
  limit === PLAN_LIMITS[1].values ? `the Free plan has ${limit}` : `at most ${limit} are served`;

export type WaitingReason = 'plan' | 'server';

export type WaitingColumn = { id: string; label: string; reason: string };

export const waitingText = (why: WaitingReason, limit: number): string =>
  why === 'plan'
    ? `The Free plan has ${limit} indicator values for columns, scans and alerts together. Alerts have priority.`
    : `The server computes at most ${MAX_VALUES_SERVED} indicator values, and more are in use. Alerts have priority, then Premium, then Basic, then the oldest accounts.`;

export const WAITS_FOR_VALUE = 'Not checked: ';

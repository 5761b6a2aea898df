export type SubscriptionType = 'free' | 'basic' | 'premium';
/** 1 free, 2 basic, 3 premium, 4 administrator. */
export type AccessLevel = 1 | 2 | 3 | 4;

const TIER_LEVELS = { free: 1, basic: 2, premium: 3 } as const;

export const accessLevel = (account: {
  subscriptionType: SubscriptionType;
  isAdmin: boolean;
}): AccessLevel => (account.isAdmin ? 4 : TIER_LEVELS[account.subscriptionType]);

type PlanLimits = { values: number; scanAlerts: number; savedOdds: number };

/** What a level includes: indicator values of columns, scans and alerts together, active alerts on whole scans, and saved odds. */
export const PLAN_LIMITS: Readonly<Record<AccessLevel, PlanLimits>> = {
  1: { values: 20, scanAlerts: 3, savedOdds: 3 },
  2: { values: 100, scanAlerts: 10, savedOdds: 10 },
  3: { values: 100, scanAlerts: 30, savedOdds: 30 },
  4: { values: 100, scanAlerts: 30, savedOdds: 30 },
};

/** The lowest level that may request summaries of announcements. */
export const SUMMARISE_LEVEL = 2;
/** The lowest level that may ask the model: in a chat, and about words for conditions. */
export const ASK_LEVEL = 3;

/** The field in an administrator route's refusal without two-factor login. */
export const LACKING_SECOND_FACTOR = 'secondFactor';

/** Carries the token if `Authorization` belongs to a proxy with Basic authentication. */
export const TOKEN_HEADER = 'x-access-token';

/** Tells a page that it is behind such a proxy. */
export const BASIC_AUTH_COOKIE = 'basic-auth=1';

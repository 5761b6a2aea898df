import { type AccessLevel, accessLevel, type SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import type { PaidPlan } from './upgrade.ts';

/** What a user's windows must know of the account to show what it may do. */
export type AccountState = {
  accessLevel: AccessLevel;
  /** An administrator who may not administer until two-factor login is on: the server demands it. */
  lacksSecondFactor: boolean;
  subscriptionType: SubscriptionType;
  /** The plan that waits for an administrator; null when none does. */
  requestedSubscriptionType: PaidPlan | null;
  /** Why the last request was declined, until the person asks again or dismisses it. */
  upgradeDeclinedReason: string | null;
};

/** What a user's windows are told of the account itself, on the alert stream. */
export type AccountEvents = {
  /** Something of the account is another than before, or the stream was opened. */
  account_changed: AccountState;
  /** Login sessions of the user were ended; each window has to ask whether its own is among them. */
  sessions_ended: Record<string, never>;
};

/** Hears what becomes of accounts: a user's open windows do, and the chats of an owner. */
export type AccountNotifier = {
  accountChanged(userId: number, state: AccountState): void;
  sessionsEnded(userId: number): void;
  /** Several wrong codes were given for the account. */
  wrongCodes(userId: number): void;
};

export const toAccountState = (
  account: Omit<AccountState, 'accessLevel'> & { isAdmin: boolean },
): AccountState => ({
  accessLevel: accessLevel(account),
  lacksSecondFactor: account.lacksSecondFactor,
  subscriptionType: account.subscriptionType,
  requestedSubscriptionType: account.requestedSubscriptionType,
  upgradeDeclinedReason: account.upgradeDeclinedReason,
});

import type { App } from '#platform/app.ts';
import type { AccountNotifier } from '../rules/accountRules.ts';
import type { PasswordCheck } from './passwords.ts';
import type { Registrations } from './limits.ts';
import type { SecretSeal, CodeLimit, Tickets } from './secondFactor/codes.ts';

/**
 * Called in the transaction that deletes an account, while its rows still exist.
 * @returns the work for after the transaction
 */
export type DeletionListener = (userId: number) => () => void;

export type AccountTools = {
  app: App;
  notifier: AccountNotifier;
  registrations: Registrations;
  checkPassword: PasswordCheck;
  deletionListeners: DeletionListener[];
  secrets: SecretSeal;
  tickets: Tickets;
  codeLimit: CodeLimit;
};

export type Self = {
  userId: number;
  sessionId: string;
  /** As returned by `addressKey`. */
  address: string;
};

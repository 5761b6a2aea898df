import type { AccountsServiceDeps } from '../service.ts';
import type { LastSeen } from '#platform/http/lastSeen.ts';
import type { PasswordCheck } from '../passwordCheck.ts';

/**
 * Hears in the transaction that deletes an account, while the rows of its owner are still there.
 * @returns what is to be done after the transaction
 */
export type DeletionListener = (userId: number) => () => void;

/** What the removal of an account needs. */
export type RemovalDeps = Pick<AccountsServiceDeps, 'db' | 'clock' | 'notifier'> & {
  deletionListeners: readonly DeletionListener[];
};

/** What a person does with their own account. */
export type OwnDeps = AccountsServiceDeps &
  RemovalDeps & {
    checkPassword: PasswordCheck;
    lastSeen: LastSeen;
  };

/** The person, and the login session that asks. */
export type Self = {
  userId: number;
  sessionId: string;
  /** As `addressKey` makes it. */
  address: string;
};

import { AppError } from '#platform/http/errors.ts';
import type { NewMessage } from '#platform/outbox/message.ts';
import { clearedMessage } from '#subjects/accounts/rules/secondFactorMessage.ts';
import type { Accounts } from '#subjects/accounts/server/service.ts';
import type { Audit } from '#admin/audit/server/service.ts';
import type { UserStore } from './store.ts';

export type ClearingDeps = {
  store: UserStore;
  audit: Pick<Audit, 'record'>;
  accounts: Pick<Accounts, 'accountChanged' | 'clearSecondFactor'>;
  outbox: { add(messages: readonly NewMessage[]): void; wake(): void };
  /** The chats of a user that messages can be delivered to. */
  chatsOf(userId: number): readonly Pick<NewMessage, 'platform' | 'chatId'>[];
};

const OWN = 'Turn off your own in Settings, where your password is asked for.';

/**
 * Clears the second factor of somebody who can't use it any more, with the audit's entry and the messages to the person
 * in one transaction.
 *
 * @throws AppError 400 for the administrator's own, 404, 409 when there is none
 */
export function clearSecondFactor(deps: ClearingDeps, administratorId: number, userId: number): void {
  const { store, audit, accounts, outbox, chatsOf } = deps;
  if (userId === administratorId) throw new AppError(400, OWN);
  store.inTransaction(() => {
    const row = Number.isSafeInteger(userId) ? store.byId(userId) : undefined;
    if (!row) throw new AppError(404, 'There is no such account, or it was deleted.');
    if (!accounts.clearSecondFactor(userId)) {
      throw new AppError(409, `${row.username} has no two-factor login any more. Reload the list.`);
    }
    audit.record({
      userId: administratorId,
      action: 'clear second factor',
      target: row.username,
      before: { secondFactor: 'on' },
      after: { secondFactor: 'off' },
    });
    outbox.add(
      chatsOf(userId).map((chat) => ({ ...chat, userId, triggerId: null, message: clearedMessage })),
    );
  });
  // Only once it is on disk.
  outbox.wake();
  accounts.accountChanged(userId);
}

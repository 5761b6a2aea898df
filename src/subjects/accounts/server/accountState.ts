import { type AccountState, toAccountState } from '../rules/accountRules.ts';
import { secondFactorStore } from './secondFactor/store.ts';
import { accountStore } from './store.ts';
import type { AccountTools } from './tools.ts';

/** What a user's windows are told of the account, and the telling of it. */
export function createAccountState({ app: { config, db }, notifier }: AccountTools) {
  /** Null when the account was deleted. */
  function stateOf(userId: number): AccountState | null {
    const user = accountStore(db).byId(userId);
    if (!user) return null;
    const lacksSecondFactor = config.adminTotp && user.isAdmin && !secondFactorStore(db).on(userId);
    return toAccountState({ ...user, lacksSecondFactor });
  }
  return {
    stateOf,
    /** Tells every open window of a user's how the account stands; call it after the commit of what changed. */
    tell(userId: number): void {
      const state = stateOf(userId);
      if (state) notifier.accountChanged(userId, state);
    },
  };
}

import { checkUpgrade, readPaidPlan } from '../../rules/upgrade.ts';
import { accepted, AppError } from '../../../../platform/http/errors.ts';
import type { UpgradesDeps } from './deps.ts';
import { approve, type Decision, decline } from './decide.ts';
import type { UpgradeRow } from './store.ts';

/** What stands of a person's request. */
type Standing = Pick<UpgradeRow, 'requestedSubscriptionType' | 'upgradeDeclinedReason'>;

/** Requests for a plan: what people ask for, and what administrators say to it. */
export function createUpgradesService(deps: UpgradesDeps) {
  const { store, clock, accounts, countWrite } = deps;

  function own(userId: number): UpgradeRow {
    const row = store.read(userId);
    if (!row) throw new AppError(401, 'This account no longer exists. Please log in again.');
    return row;
  }

  /** Does a change of the person's own request, and answers what stands then; other windows of theirs follow. */
  function changing(userId: number, change: (row: UpgradeRow) => void): Standing {
    countWrite(userId);
    const standing = store.inTransaction(() => {
      change(own(userId));
      const { requestedSubscriptionType, upgradeDeclinedReason } = own(userId);
      return { requestedSubscriptionType, upgradeDeclinedReason };
    });
    accounts.accountChanged(userId);
    return standing;
  }

  return {
    /**
     * Asks for a plan; a request for another plan takes the place of the first. A level that is no plan is ignored:
     * the answer says what stands.
     *
     * @throws AppError 400 for the plan that the person has or one below it, 429
     */
    request: (userId: number, level: unknown): Standing =>
      changing(userId, (row) => {
        const plan = readPaidPlan(level);
        if (plan === null || plan === row.requestedSubscriptionType) return;
        store.request(userId, accepted(checkUpgrade(row.subscriptionType, plan)), clock.now());
      }),

    /** Takes a request back; without one nothing happens. @throws AppError 429 */
    withdraw: (userId: number): Standing => changing(userId, () => store.withdraw(userId)),

    /** The person has read why the last request was declined. @throws AppError 429 */
    dismissDeclined: (userId: number): Standing => changing(userId, () => store.forgetDeclined(userId)),

    /** The requests that wait for an administrator, oldest first. */
    pending: () =>
      store.pending().flatMap(({ id, username, subscriptionType, ...row }) => {
        const { requestedSubscriptionType, upgradeRequestedAt: at } = row;
        if (requestedSubscriptionType === null) return [];
        const requestedAt = at === null ? null : new Date(at).toISOString();
        return [{ id, username, subscriptionType, requestedSubscriptionType, requestedAt }];
      }),

    /** @returns the username @throws AppError 404, 409 */
    approve: (administratorId: number, decision: Decision) => approve(deps, administratorId, decision),
    /** @returns the username @throws AppError 400, 404, 409 */
    decline: (administratorId: number, decision: Decision & { reason: string }) =>
      decline(deps, administratorId, decision),
  };
}

export type Upgrades = ReturnType<typeof createUpgradesService>;

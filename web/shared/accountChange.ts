import type { JsonRecord } from '#lib/json.ts';
import { plan } from '#subjects/accounts/answers/plans.ts';
import { settingsAnswer } from '#subjects/settings/answers/settings.ts';
import type { Settings } from './settings.ts';

/** The settings in an account_changed event of the alert stream; missing ones are omitted. */
export function readAccountChange(account: JsonRecord): Partial<Settings> {
  const { members } = settingsAnswer;
  const subscriptionType = plan.read(account.subscriptionType);
  const accessLevel = members.accessLevel.read(account.accessLevel);
  const { lacksSecondFactor } = account;
  const { requestedSubscriptionType: requested, upgradeDeclinedReason: reason } = account;
  return {
    ...(accessLevel === null ? {} : { accessLevel }),
    ...(typeof lacksSecondFactor === 'boolean' ? { lacksSecondFactor } : {}),
    ...(subscriptionType === null ? {} : { subscriptionType }),
    ...(requested === undefined
      ? {}
      : { requestedSubscriptionType: members.requestedSubscriptionType.read(requested) }),
    ...(reason === undefined ? {} : { upgradeDeclinedReason: members.upgradeDeclinedReason.read(reason) }),
  };
}

import type { JsonRecord } from '#lib/json.ts';
import { plan } from '#subjects/accounts/answers/plans.ts';
import { settingsAnswer } from '#subjects/settings/answers/settings.ts';
import type { Settings } from './settings.ts';

/** The event account_changed of the alert stream: the account's part of the settings, as far as it says. */
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

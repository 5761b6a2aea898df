import { MESSAGES } from '../../../../../texts/messages.ts';
import type { PaidPlan } from '../../../rules/upgrade.ts';
import { api, messageOf, readRefusal, unwrap } from '../../../../../../web/api/client.ts';
import type { Settings } from '../../../../../../web/shared/readSettings.ts';
import { patchSettings } from '../../../../../../web/shared/settings.ts';

/** @returns why it was not done, or null when it was; then the settings are patched */
async function changed(
  pending: Promise<unknown>,
  patch: Partial<Settings>,
  fallback: string,
): Promise<string | null> {
  try {
    const refusal = readRefusal(await pending, fallback);
    if (refusal !== null) return refusal.message;
    patchSettings(patch);
    return null;
  } catch (problem) {
    return messageOf(problem, fallback);
  }
}

/** Asks for a plan. @returns why it could not be asked for, or null when it was */
export const requestUpgrade = (level: PaidPlan): Promise<string | null> =>
  changed(
    unwrap(api.settings['request-upgrade'].post({ level })),
    { requestedSubscriptionType: level, upgradeDeclinedReason: null },
    MESSAGES.settings.requestUpgrade,
  );

/** Takes the request back. @returns why it stands, or null when it was withdrawn */
export const withdrawUpgrade = (): Promise<string | null> =>
  changed(
    unwrap(api.settings['withdraw-upgrade'].post()),
    { requestedSubscriptionType: null },
    'Failed to withdraw the request',
  );

/** The reason was read. @returns why it is not forgotten, or null when it is */
export const dismissDeclined = (): Promise<string | null> =>
  changed(
    unwrap(api.settings['dismiss-declined-upgrade'].post()),
    { upgradeDeclinedReason: null },
    'Failed to dismiss the answer',
  );

import { isRecord } from '../../../../lib/json.ts';
import { readBoolean } from '../../../../lib/read.ts';
import { createUserChoices } from '../../../../../web/shared/userChoices.ts';

/** How an alert makes itself known in this browser, besides on the page. */
export type AlertPreferences = {
  sound: boolean;
  desktop: boolean;
  /** The sound was offered once already. */
  wasOffered?: boolean;
};

function accept(value: unknown): AlertPreferences | null {
  if (!isRecord(value)) return null;
  return {
    sound: readBoolean(value.sound) ?? false,
    desktop: readBoolean(value.desktop) ?? false,
    wasOffered: readBoolean(value.wasOffered) ?? false,
  };
}

/** What the signed-in user chose, changed and followed over the windows of this browser. */
export const {
  chosen: alertPreferences,
  choose: preferAlerts,
  follow: followAlertPreferences,
} = createUserChoices<AlertPreferences>('alertPreferences', {
  accept,
  defaults: { sound: false, desktop: false },
  forGuests: false,
});

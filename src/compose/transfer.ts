import { callInFile } from '../subjects/calls/rules/callInFile.ts';
import type { createCalls } from '../subjects/calls/server/index.ts';
import { createTransfer } from '../subjects/transfer/server/index.ts';
import { preferencesKind } from '../subjects/transfer/server/preferences.ts';
import type { Core } from '../part.ts';
import type { AlertParts } from './alerts.ts';
import type { MarketParts } from './market.ts';
import type { Messaging } from './messages.ts';
import type { People, RequestParts } from './people.ts';

type Made = RequestParts &
  Messaging &
  MarketParts &
  People &
  AlertParts & { calls: ReturnType<typeof createCalls> };

/** A person's set-up as one file: what each subject gives and takes of it. */
export function createTransferPart(core: Core, made: Made) {
  const { access, alerts, alertReview, calls, devices, indicators, quietHours } = made;
  const { scanAlerts, settings, watchlist } = made;
  return createTransfer(core, {
    ...access,
    kinds: {
      columns: settings.service.transfer,
      ...indicators.service.transfer,
      watchlists: watchlist.service.transfer,
      alerts: alerts.service.transfer,
      scanAlerts: scanAlerts.service.transfer,
      preferences: preferencesKind({
        quoteSite: settings.service.quotePreference,
        weeklyReview: alertReview.service.transferPreference,
        adminMessages: devices.service.transferPreference,
      }),
      quietHours: quietHours.service.transfer,
    },
    callsOf: (id) => calls.service.mine({ id }).map(callInFile),
    told: alerts.service.notifier.setUpChanged,
  });
}

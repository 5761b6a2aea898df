import { createAlertAttention } from '../subjects/alerts/server/attention/index.ts';
import { createAlertTriggers } from '../subjects/alerts/server/triggers/index.ts';
import { createAlerts } from '../subjects/alerts/server/index.ts';
import { createBlindSpots } from '../subjects/alerts/server/blindSpots/index.ts';
import { createLostReferences } from '../subjects/alerts/server/lostReferences/index.ts';
import { createShortage } from '../subjects/alerts/server/shortage/index.ts';
import { createScanAlerts, createScanTriggerEvents } from '../subjects/alerts/server/scanAlerts/index.ts';
import { createWatchlist } from '../subjects/alerts/server/watchlist/index.ts';
import type { Core, Part } from '../part.ts';
import type { CalendarPart, MarketParts } from './market.ts';
import type { Messaging } from './messages.ts';
import type { People } from './people.ts';
import type { Runtime } from './runtime.ts';

/** What alerts on stocks and alerts on whole scans both need. */
const commonNeeds = (made: People & Messaging & MarketParts) => ({
  market: made.market.service,
  adjustments: made.values.service.adjustments,
  indicators: made.indicators.service,
  outbox: made.outbox.service,
  chatsOf: made.platforms.placesOf,
  placesOf: made.platforms.allPlacesOf,
  noteNews: (): void => made.announcements.service.sink.note(),
});

/** Watchlists, and the alerts that are sent to chats and open windows. */
export function createAlertParts(
  core: Core,
  { alertPingMs, primary }: Runtime,
  made: People & Messaging & MarketParts & CalendarPart,
) {
  const { accounts, access } = made;
  const common = commonNeeds(made);
  const { market, indicators, outbox, chatsOf } = common;
  const watchlist = createWatchlist(core, { market, scansOf: indicators.scansOf });
  const scanTriggers = createScanTriggerEvents(core);
  const alerts = createAlerts(core, {
    ...common,
    keepOpen: core.keepOpen,
    cutOff: core.cutOff,
    clientAddress: core.clientAddress,
    reads: access.reads,
    events: made.calendar.service.highEvents,
    past: made.values.service,
    watchlist: watchlist.service,
    scanTriggers: scanTriggers.history,
    accountOf: accounts.service.stateOf,
    streamPingMs: alertPingMs,
    streamTap: primary?.alertTap,
    streamsElsewhere: primary?.alertStreamsElsewhere,
  });
  const { notifier, rehearseScan } = alerts.service;
  const scanAlerts = createScanAlerts(core, {
    ...common,
    notifier,
    rehearseScan,
    scanTriggers,
    watchlist: watchlist.service,
    events: made.calendar.service.highEvents,
    levelOf: (userId) => accounts.service.stateOf(userId)?.accessLevel ?? 1,
  });
  return {
    watchlist,
    alerts,
    scanAlerts,
    alertTriggers: createAlertTriggers({ alerts: alerts.service, scanAlerts: scanAlerts.service }),
    blindSpots: createBlindSpots(core, { outbox, chatsOf, placesOf: common.placesOf }),
    alertAttention: createAlertAttention(core, {
      ...common,
      alerts: alerts.service,
      scanAlerts: scanAlerts.service,
    }),
    shortage: createShortage(core, { indicators, chatsOf, outbox }),
    lostReferences: createLostReferences(core, {
      indicators,
      chatsOf,
      outbox,
      watchlist: watchlist.service,
      lostOf: [alerts.service.lostReferences, scanAlerts.service.lostReferences],
    }),
  } satisfies Record<string, Part>;
}

export type AlertParts = ReturnType<typeof createAlertParts>;

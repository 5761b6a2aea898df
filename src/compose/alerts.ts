import { createAlertAttention } from '../subjects/alerts/server/attention/index.ts';
import { createAlerts } from '../subjects/alerts/server/index.ts';
import { createBlindSpots } from '../subjects/alerts/server/blindSpots/index.ts';
import { createLostReferences } from '../subjects/alerts/server/lostReferences/index.ts';
import { createShortage } from '../subjects/alerts/server/shortage/index.ts';
import { createWatchlist } from '../subjects/alerts/server/watchlist/index.ts';
import type { App, Part } from '#platform/app.ts';
import type { CalendarPart, MarketParts } from './market.ts';
import type { Messaging } from './messages.ts';
import type { People } from './people.ts';
import type { Runtime } from './runtime.ts';

/** Watchlists, and the alerts that are sent to chats and open windows. */
export function createAlertParts(
  app: App,
  { alertPingMs, primary }: Runtime,
  made: People & Messaging & MarketParts & CalendarPart,
) {
  const { accounts, access } = made;
  const market = made.market.service;
  const indicators = made.indicators.service;
  const outbox = made.outbox.service;
  const { placesOf: chatsOf, allPlacesOf: placesOf } = made.platforms;
  const watchlist = createWatchlist(app, { market, scansOf: indicators.scansOf });
  const alerts = createAlerts(app, {
    market,
    indicators,
    outbox,
    chatsOf,
    placesOf,
    adjustments: made.values.service.adjustments,
    noteNews: () => made.announcements.service.sink.note(),
    reads: access.reads,
    events: made.calendar.service.highEvents,
    past: made.values.service,
    watchlist: watchlist.service,
    accountOf: accounts.service.stateOf,
    streamPingMs: alertPingMs,
    streamTap: primary?.alertTap,
    streamsElsewhere: primary?.alertStreamsElsewhere,
  });
  return {
    watchlist,
    alerts,
    blindSpots: createBlindSpots(app, { outbox, chatsOf, placesOf }),
    alertAttention: createAlertAttention(app, {
      market,
      outbox,
      chatsOf,
      placesOf,
      alerts: alerts.service,
      scanAlerts: alerts.service.scanAlerts,
    }),
    shortage: createShortage(app, { indicators, chatsOf, outbox }),
    lostReferences: createLostReferences(app, {
      indicators,
      chatsOf,
      outbox,
      watchlist: watchlist.service,
      lostOf: [alerts.service.lostReferences, alerts.service.scanAlerts.lostReferences],
    }),
  } satisfies Record<string, Part>;
}

export type AlertParts = ReturnType<typeof createAlertParts>;

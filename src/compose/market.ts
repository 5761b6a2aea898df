import { createAuction } from '../subjects/stock/server/auction/index.ts';
import { createBars } from '../subjects/stock/server/bars/index.ts';
import { createAnnouncements } from '../subjects/announcements/server/index.ts';
import { createGlance } from '../subjects/glance/server/index.ts';
import { createIndicators } from '../subjects/indicators/server/index.ts';
import { createReplayControls } from '../subjects/replay/server/index.ts';
import { replayInfo } from '../subjects/replay/server/service.ts';
import { createIngest } from '../admin/ingest/server/index.ts';
import { AuctionMemory } from '../market/auctions/memory.ts';
import { tapeFiles } from '../subjects/scanners/server/tape/files.ts';
import { createTape } from '../subjects/scanners/server/tape/index.ts';
import type { PastBars } from '../market/bars/pastBars.ts';
import { createValues } from '../market/indicators/values.ts';
import { createMeta } from '../market/meta.ts';
import { createMarketPart, type ObservedMarket } from '../market/observed.ts';
import { createPreOpenMemory } from '../market/preOpenMemory.ts';
import { createSessionMemory } from '../market/sessionMemory.ts';
import { createTick } from '../market/tick.ts';
import { dataPaths } from '../config/dataPaths.ts';
import type { App, Part } from '#platform/app.ts';
import { chooseAnnouncements } from '../sources/announcements/choose.ts';
import { createFeed } from '../sources/quotes/feed.ts';
import { createMarketStream } from '../market/stream/index.ts';
import type { createCalendar } from '../subjects/calendar/server/index.ts';
import type { createCalls } from '../subjects/calls/server/index.ts';
import type { RequestParts } from './people.ts';
import type { Runtime } from './runtime.ts';
import { sourceEdges } from './sourceEdges.ts';

export type CalendarPart = { calendar: ReturnType<typeof createCalendar> };
export type CallsPart = { calls: ReturnType<typeof createCalls> };

/** The indicators in use, and what works their values out. */
function createIndicatorParts(
  app: App,
  { metainfo, later, schedule }: Runtime,
  { audit }: RequestParts,
  market: ObservedMarket,
) {
  const indicators = createIndicators(app, { audit: audit.service, metainfo });
  const { demand, catalog } = indicators.service;
  const families = () => catalog.current().indicators;
  return { indicators, values: createValues(app, { market, demand, families, later, schedule }) };
}

/** The market as it stood minute by minute, and what it is compared with as a whole. */
function createLooks(
  app: App,
  { tapeFiles: files = tapeFiles(dataPaths(app.config).tape) }: Runtime,
  { access: { reads } }: RequestParts,
  { market, past }: { market: ObservedMarket; past: PastBars },
) {
  return {
    tape: createTape(app, { market, reads, files }),
    glance: createGlance(app, { market, past, reads }),
  };
}

/** The Market with what brings prices into it, works them out, remembers them and sends them to browsers. */
export function createMarketParts(
  app: App,
  runtime: Runtime,
  { calendar, ...requests }: RequestParts & CalendarPart,
) {
  const { reads } = requests.access;
  const { primary } = runtime;
  const marketPart = createMarketPart(app);
  const market = marketPart.service;
  const published = chooseAnnouncements(app, sourceEdges(app));
  const announcements = createAnnouncements(app, { market, reads, source: published });
  const auctions = new AuctionMemory(app, market);
  const meta = createMeta(app, {
    market,
    calendar: calendar.service.info,
    replay: () => replayInfo(app),
    announcements: () => announcements.service.info(),
  });
  const { indicators, values } = createIndicatorParts(app, runtime, requests, market);
  const { chart, dayLines: lines } = values.service;
  const tick = createTick(app, { market });
  return {
    market: marketPart,
    announcements,
    auctions,
    auction: createAuction(app, { auctions: auctions.service, market, reads }),
    bars: createBars(app, { market, chart, lines, reads }),
    indicators,
    values,
    memory: createPreOpenMemory(app, { market }),
    lastSession: createSessionMemory(app, { market, adjustments: values.service.adjustments }),
    feed: createFeed(app, { sink: market }),
    ingest: createIngest(app, { sink: market }),
    tick,
    replay: createReplayControls(app, { tick: tick.service }),
    ...createLooks(app, runtime, requests, { market, past: values.service }),
    stream: createMarketStream(app, {
      market,
      meta,
      calendar: calendar.service,
      ...(primary && { tap: primary.marketTap, elsewhere: primary.streamsElsewhere }),
    }),
  } satisfies Record<string, Part>;
}

export type MarketParts = ReturnType<typeof createMarketParts>;

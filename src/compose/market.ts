import { createAuction } from '../subjects/stock/server/auction/index.ts';
import { createBars } from '../subjects/stock/server/bars/index.ts';
import { createAnnouncements } from '../subjects/announcements/server/index.ts';
import { createIndicators } from '../subjects/indicators/server/index.ts';
import { createReplayControls } from '../subjects/replay/server/index.ts';
import { replayInfo } from '../subjects/replay/server/service.ts';
import { createIngest } from '../admin/ingest/server/index.ts';
import { createAuctionMemory } from '../market/auctions/memory.ts';
import { createTape } from '../subjects/scanners/server/tape/index.ts';
import { createValues } from '../market/indicators/values.ts';
import { createMeta } from '../market/meta.ts';
import { createMarketPart } from '../market/observed.ts';
import { createPreOpenMemory } from '../market/preOpenMemory.ts';
import { createSessionMemory } from '../market/sessionMemory.ts';
import { createTick } from '../market/tick.ts';
import type { Core, Part } from '../part.ts';
import { chooseAnnouncements } from '../sources/announcements/choose.ts';
import { createFeed } from '../sources/quotes/feed.ts';
import { createMarketStream } from '../market/stream/index.ts';
import type { Routed, Runtime, WithAudit, WithCalendar, WithReads } from './runtime.ts';

/** The Market with what brings prices into it, works them out, remembers them and sends them to browsers. */
export function createMarketParts(
  core: Core,
  runtime: Runtime,
  { auth, audit, calendar, reads }: Routed & WithAudit & WithCalendar & WithReads,
) {
  const { clientAddress, keepOpen, cutOff } = runtime;
  const marketPart = createMarketPart(core);
  const market = marketPart.service;
  const announcements = createAnnouncements(core, {
    ...{ auth, market, reads },
    source: chooseAnnouncements(core),
  });
  const auctions = createAuctionMemory(core, { market });
  const meta = createMeta(core, {
    market,
    announcements: announcements.service.info,
    calendar: calendar.service.info,
    replay: () => replayInfo(core),
  });
  const indicators = createIndicators(core, {
    auth,
    audit: audit.service,
    metainfo: runtime.metainfo,
  });
  const { demand, catalog } = indicators.service;
  const families = () => catalog.current().indicators;
  const { later, schedule } = runtime;
  const values = createValues(core, { market, demand, families, later, schedule });
  const { chart, dayLines: lines } = values.service;
  const tick = createTick(core, { market });
  return {
    market: marketPart,
    announcements,
    auctions,
    auction: createAuction(core, { auth, auctions: auctions.service, market, clientAddress, reads }),
    bars: createBars(core, { auth, clientAddress, market, chart, lines, reads }),
    indicators,
    values,
    memory: createPreOpenMemory(core, { market }),
    lastSession: createSessionMemory(core, { market }),
    feed: createFeed(core, { sink: market }),
    ingest: createIngest(core, { auth, sink: market }),
    tick,
    replay: createReplayControls(core, { auth, tick: tick.service }),
    tape: createTape(core, { auth, market, reads }),
    stream: createMarketStream(core, {
      ...{ auth, market, meta, keepOpen, cutOff, clientAddress },
      calendar: calendar.service,
    }),
  } satisfies Record<string, Part>;
}

export type MarketParts = ReturnType<typeof createMarketParts>;

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { defaultFilters } from '../../../src/subjects/scanners/rules/filters.ts';
import { LoadedLife } from '../../../src/subjects/calls/web/life/LifeView.tsx';
import { TapePanel } from '../../../src/subjects/scanners/web/tape/TapePanel.tsx';
import { useBarsOf } from '../../../src/subjects/alerts/web/watchlist/parts/FiringChart.tsx';
import { AuctionPanel } from '../../../src/subjects/stock/web/shared/auction/AuctionPanel.tsx';
import { useStockExtras } from '../../../src/subjects/stock/web/shared/chart/own/useStockExtras.ts';
import { useStockBars } from '../../../src/subjects/stock/web/shared/chart/useStockBars.ts';
import { DayCell } from '../../../src/subjects/stock/web/shared/day/DayCell.tsx';
import { startLive } from '../../../web/live/market.ts';
import { onNewEra } from '../../../web/live/marketEra.ts';
import { fromSnapshot } from '../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../web/live/stream/protocol.ts';
import { aStock } from '../../support/aStock.ts';
import { fakeApi } from '../../support/fakeApi.ts';
import { aMeta } from '../../support/market.ts';

const NO_COLUMNS = { time: [], open: [], high: [], low: [], close: [], volume: [] };
const ONE_BAR = { time: [0], open: [1], high: [1], low: [1], close: [1], volume: [1] };
const STOCK = aStock({ code: 'ERA' });
const ANSWERS = {
  'GET /api/data/bars': { body: { symbol: 'ERA', tf: '1', bars: NO_COLUMNS } },
  'GET /api/data/auction': { body: { symbol: 'ERA', date: '2026-01-19', columns: {} } },
  'GET /api/data/day-lines': { body: { date: '2026-01-19', from: 1, slotMinutes: 5, lines: {} } },
  'GET /api/data/day-events': { body: { statuses: [], auctions: [] } },
  'GET /api/data/tape/days': { body: { days: [] } },
  'GET /api/data/tape/changes': { body: { times: [], entered: [], rows: {} } },
  'GET /api/calls/abc': { status: 404, body: { error: 'There is no such call.' } },
};

let server: ReturnType<typeof fakeApi>;
let receive: (message: ToWindow) => void;
let stop: () => void;
beforeEach(() => {
  server = fakeApi(ANSWERS);
  stop = startLive((take) => {
    receive = take;
    return () => undefined;
  });
});
afterEach(() => {
  cleanup();
  stop();
  server.restore();
});

const FEED = { delayMinutes: 0, lastUpdate: null, healthy: true, problem: null };
const REPLAY = {
  ...{ from: 1, until: 2, isPaused: false, speed: 1, hasEnded: false, isCutOff: false, isOpenToAll: false },
};

/** The stream's word of a market. */
const tell = (feed: string, dateToday: string, jumps: number) =>
  act(() => {
    const meta = aMeta({
      ...{ dateToday, feed: { name: feed, label: feed, ...FEED }, replay: { ...REPLAY, jumps } },
    });
    const snapshot = { stocks: { ERA: STOCK }, meta, fx: { data: {}, lastUpdated: null } };
    receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' });
  });

test('an era ends with the source, the session and each jump, and with nothing else', () => {
  let count = 0;
  const unfollow = onNewEra(() => {
    count += 1;
  });
  const counts = [
    () => tell('replay-a', '2026-01-19', 0),
    () => tell('replay-a', '2026-01-19', 0),
    () => tell('replay-a', '2026-01-19', 1),
    () => tell('replay-a', '2026-01-20', 1),
    () => tell('replay-b', '2026-01-20', 1),
    () => tell('replay-b', '2026-01-20', 1),
  ].map((say) => {
    say();
    return count;
  });
  expect(counts).toEqual([0, 0, 1, 2, 3, 3]);
  unfollow();
  tell('replay-b', '2026-01-20', 2);
  expect(count).toBe(3);
});

function Bars(): ReactNode {
  useStockBars('ERA', '1');
  return null;
}

function PastBars(): ReactNode {
  useBarsOf('ERA', '1', 5);
  return null;
}

function Extras(): ReactNode {
  useStockExtras('ERA', STOCK, '1', {
    ...{ bars: ONE_BAR, unknown: [], hasMore: false, knownSince: null, adjustments: [] },
  });
  return null;
}

const TAPE = (
  <TapePanel
    scanner="intraDaySmall"
    filters={defaultFilters(false)}
    isNarrow={false}
    quoteLink="none"
    today="2026-01-19"
    onPast={() => undefined}
  />
);

describe('a replay that jumps is asked anew for', () => {
  test.each([
    ['the bars of a chart', '/api/data/bars', () => <Bars />],
    ['the bars of a trigger', '/api/data/bars', () => <PastBars />],
    ['how the day of a stock went', '/api/data/day-events', () => <Extras />],
    ['the opening auction', '/api/data/auction', () => <AuctionPanel code="ERA" />],
    ['the lines of the day', '/api/data/day-lines', () => <DayCell stock={STOCK} />],
    ['the days of the tape', '/api/data/tape/days', () => TAPE],
    ['who entered and left', '/api/data/tape/changes', () => TAPE],
    ['the life of a call', '/api/calls/abc', () => <LoadedLife publicId="abc" />],
  ])('%s', async (_, path, shown) => {
    tell('replay-a', '2026-01-19', 0);
    render(shown());
    await waitFor(() => expect(server.to(path)).toHaveLength(1));
    tell('replay-a', '2026-01-19', 0);
    tell('replay-a', '2026-01-19', 1);
    await waitFor(() => expect(server.to(path)).toHaveLength(2));
  });
});

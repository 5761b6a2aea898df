import { afterEach, beforeEach, expect, test } from 'bun:test';
import { renderHook, waitFor } from '@testing-library/react';
import { useStockExtras } from '#subjects/stock/web/shared/chart/useStockExtras.ts';
import { startLive } from '#web/live/market.ts';
import { startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { adjustedTexts } from '#subjects/stock/web/shared/chart/PriceChart.tsx';
import { fromSydney } from '#lib/sydneyTime.ts';
import { aStock } from '#support/aStock.ts';
import { pageApi } from '#support/fakeApi.ts';
import { barsOf } from '#support/chartBars.ts';

const ONE_BAR = { time: [0], open: [1], high: [1], low: [1], close: [1], volume: [1] };
const STOCK = aStock({ code: 'ABC' });

const server = pageApi(() => ({
  'GET /api/data/day-events': { body: { statuses: [], auctions: [] } },
  'GET /api/data/news/search': { body: { announcements: [] } },
  'GET /api/calls/mine': { body: { calls: [] } },
  'GET /api/alerts': { body: { alerts: [] } },
}));
let stop: () => void;
beforeEach(() => {
  stop = startLive(() => () => undefined);
  startSession({ accessToken: 'token', accessLevel: 1 });
});
afterEach(() => stop());

const SHOWN = { bars: ONE_BAR, unknown: [], hasMore: false, knownSince: null, adjustments: [] };
const show = (shown: Parameters<typeof useStockExtras>[3] = SHOWN) =>
  renderHook(() => useStockExtras('ABC', STOCK, '1', shown)).result;

test('levels of a call follow the adjusted prices if it was posted before the split', async () => {
  const call = { symbol: 'ABC', status: 'open', source: null, entryPrice: 0.026, targetPrice: 0.03 };
  server.answers['GET /api/calls/mine'] = {
    body: {
      calls: [
        { ...call, submittedAt: '2026-11-25T00:00:00Z', entryPrice: 0.4, targetPrice: 0.45 },
        { ...call, submittedAt: '2026-11-20T00:00:00Z' },
      ],
    },
  };
  const at = Date.parse('2026-11-23T20:05:00Z');
  const shown = show({ ...SHOWN, adjustments: [{ date: '2026-11-24', factor: 15, at }] });
  await waitFor(() =>
    expect(
      shown.current.levels
        ?.filter(({ kind }) => kind === 'entry' || kind === 'target')
        .map(({ price }) => price),
    ).toEqual([0.39, 0.4, 0.45]),
  );
});

const ADJUSTED = [
  { date: '2026-06-01', factor: 0.25, at: 0 },
  { date: '2026-11-24', factor: 15, at: 0 },
];
const sliderText = (tf: '1' | 'D', first: number) =>
  adjustedTexts({
    tf,
    bars: barsOf(first, 60_000, [1]),
    unknown: [],
    knownSince: null,
    adjustments: ADJUSTED,
  });

test('a chart shows the day and factor of an adjustment', () => {
  expect(sliderText('D', Date.UTC(2026, 4, 1))).toEqual([
    'Prices before 1 June 2026 are adjusted for a split or consolidation (÷ 4).',
    'Prices before 24 Nov 2026 are adjusted for a split or consolidation (× 15).',
  ]);
  expect(sliderText('1', fromSydney('2026-11-23', 15, 0))).toHaveLength(1);
});

test('a chart that starts with the new prices shows no adjustment', () => {
  expect(sliderText('D', Date.UTC(2026, 10, 24))).toEqual([]);
  expect(sliderText('1', fromSydney('2026-11-24', 10, 0))).toEqual([]);
});

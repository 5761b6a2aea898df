import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { publishAlert } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { useStockExtras } from '../../../../src/subjects/stock/web/shared/chart/own/useStockExtras.ts';
import { ownCallsChanged } from '../../../../src/subjects/calls/web/shared/ownCallTurns.ts';
import { startLive } from '../../../../web/live/market.ts';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { aStock } from '../../../support/aStock.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

const ONE_BAR = { time: [0], open: [1], high: [1], low: [1], close: [1], volume: [1] };
const STOCK = aStock({ code: 'ABC' });

let server: ReturnType<typeof fakeApi>;
let stop: () => void;
beforeEach(() => {
  server = fakeApi({
    'GET /api/data/day-events': { body: { statuses: [], auctions: [] } },
    'GET /api/data/news/search': { body: { announcements: [] } },
    'GET /api/calls/mine': { body: { calls: [] } },
    'GET /api/alerts': { body: { alerts: [] } },
    'GET /api/alerts/3/triggers': { body: { triggers: [{ timestamp: '2026-11-16T00:00:00Z' }] } },
  });
  stop = startLive(() => () => undefined);
  startSession({ accessToken: 'token', accessLevel: 1 });
});
afterEach(() => {
  cleanup();
  endSession();
  stop();
  server.restore();
});

const SHOWN = { bars: ONE_BAR, unknown: [], hasMore: false, knownSince: null, adjustments: [] };
const show = (shown: Parameters<typeof useStockExtras>[3] = SHOWN) =>
  renderHook(() => useStockExtras('ABC', STOCK, '1', shown)).result;

const fired = (symbol: string, id: number) =>
  act(() =>
    publishAlert({
      type: 'triggered',
      trigger: {
        of: 'stock',
        ...{ key: `${id}`, alertId: 3, at: 0, marketAt: 0, deactivated: true, silent: false, symbol },
        ...{ name: 'Breakout', text: null },
      },
    }),
  );

test('an alert that fires gets its mark while the chart is open, one on another stock changes nothing', async () => {
  const shown = show();
  await waitFor(() => expect(server.to('/api/alerts')).toHaveLength(1));
  expect(shown.current.marks).toEqual([]);
  const alert = { id: 3, name: 'Breakout', active: false, last_triggered_at: '2026-11-16T00:00:00Z' };
  server.answers['GET /api/alerts'] = { body: { alerts: [alert] } };
  fired('XYZ', 1);
  fired('ABC', 2);
  await waitFor(() =>
    expect(shown.current.marks).toEqual([
      { kind: 'trigger', time: Date.parse('2026-11-16T00:00:00Z'), text: 'Breakout' },
    ]),
  );
  expect(server.to('/api/alerts')).toHaveLength(2);
});

test('an alert that was changed elsewhere is drawn anew', async () => {
  show();
  await waitFor(() => expect(server.to('/api/alerts')).toHaveLength(1));
  act(() => publishAlert({ type: 'changed', alertId: 3, symbol: 'ABC' }));
  await waitFor(() => expect(server.to('/api/alerts')).toHaveLength(2));
  act(() => publishAlert({ type: 'changed', alertId: null, symbol: null }));
  await waitFor(() => expect(server.to('/api/alerts')).toHaveLength(3));
});

test('a call that was posted in another window is drawn without a reload', async () => {
  const shown = show();
  await waitFor(() => expect(server.to('/api/calls/mine')).toHaveLength(1));
  const call = { symbol: 'ABC', status: 'open', entryPrice: 2, targetPrice: 3, stopLossType: 'NONE' };
  server.answers['GET /api/calls/mine'] = { body: { calls: [call] } };
  act(() => ownCallsChanged());
  await waitFor(() =>
    expect(shown.current.levels?.filter(({ kind }) => kind !== 'previousClose' && kind !== 'vwap')).toEqual([
      { kind: 'entry', title: 'Entry', price: 2 },
      { kind: 'target', title: 'Target', price: 3 },
    ]),
  );
});

test('levels of a call are in the prices of the adjusted bars, if it was posted before', async () => {
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

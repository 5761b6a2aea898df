import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { act, cleanup, render, screen } from '@testing-library/react';
import { CallPage } from '../../../../src/subjects/calls/web/life/CallPage.tsx';
import { startLive } from '../../../../web/live/market.ts';
import { fromSnapshot } from '../../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../../web/live/stream/protocol.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { aMeta, aSnapshot, aStock } from '../../../support/market.ts';

await import('../../../../src/subjects/stock/web/shared/chart/PriceChart.tsx');

const LIFE = 'GET /api/calls/c1';
const MINUTE = 60_000;
/** 10:12 in Sydney on a trading day. */
const NOW = Date.parse('2026-11-19T23:12:00Z');

const bars = { time: [NOW - MINUTE, NOW], open: [40, 40], high: [40, 40], low: [40, 40], close: [40, 40] };
const aLife = (change: Record<string, unknown> = {}) => ({
  body: {
    call: {
      ...{ publicId: 'c1', symbol: 'ABC', callType: 'bought', status: 'open', source: 'simulator' },
      ...{ entryPrice: 40, targetPrice: 44, stopLossType: 'NONE', awaitingTrade: null },
      ...{ submittedBy: { display: 'ann' }, submittedAt: new Date(NOW - MINUTE).toISOString() },
      entryTrade: { at: new Date(NOW - MINUTE).toISOString(), price: 40 },
      ...change,
    },
    path: { tf: '1', bars: { ...bars, volume: [5, 5] } },
  },
});

let server: ReturnType<typeof fakeApi>;
let receive: (message: ToWindow) => void;
let stop: () => void;
beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  server = fakeApi({ [LIFE]: aLife() });
  stop = startLive((take) => {
    receive = take;
    return () => undefined;
  });
});
afterEach(() => {
  cleanup();
  stop();
  server.restore();
  jest.useRealTimers();
});

const trade = (last: number, volume: number) =>
  act(() => {
    const stock = aStock('ABC', { open: 40, low: 40, high: Math.max(40, last), last, volume });
    const snapshot = { ...aSnapshot([]), stocks: { ABC: { ...stock } }, meta: aMeta({ marketTime: NOW }) };
    receive({ type: 'state', state: fromSnapshot(snapshot, NOW), connection: 'live' });
  });
const settle = () => act(async () => void (await Promise.resolve().then(() => Promise.resolve())));
async function show() {
  trade(40, 10);
  render(<CallPage publicId="c1" />);
  for (let turn = 0; turn < 20; turn += 1) await settle();
}
const wait = async (ms: number) => {
  act(() => {
    jest.advanceTimersByTime(ms);
  });
  for (let turn = 0; turn < 20; turn += 1) await settle();
};
const newestBar = () => screen.getByRole('slider').getAttribute('aria-valuetext');

test('an open call moves with the price: how it stands, and the newest bar', async () => {
  await show();
  expect(screen.getByText('Now 0.0%; 10.0% to the target.')).toBeTruthy();
  trade(42, 12);
  expect(screen.getByText('Now +5.0%; 4.8% to the target.')).toBeTruthy();
  expect(newestBar()).toContain('close 42');
});

test('what happens to it is fetched, and what is shown stays while the server is away', async () => {
  await show();
  server.answers[LIFE] = 'offline';
  await wait(60_000);
  expect(screen.getByRole('heading', { name: 'ABC call' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  const closed = { status: 'closed', closedAt: new Date(NOW).toISOString(), pocketedValue: 5 };
  server.answers[LIFE] = aLife(closed);
  await wait(60_000);
  expect(screen.getByText('Closed by ann')).toBeTruthy();
  const asked = server.calls.length;
  await wait(600_000);
  expect(server.calls).toHaveLength(asked);
});

test('one of another source than the one that runs stands still', async () => {
  server.answers[LIFE] = aLife({ source: 'replay-simulator-2026-01-19' });
  await show();
  trade(42, 12);
  expect(screen.queryByText(/to the target\.$/)).toBeNull();
  expect(newestBar()).toContain('close 40');
});

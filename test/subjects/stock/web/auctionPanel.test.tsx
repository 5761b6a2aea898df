import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Stock } from '#market/rules/stock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { auctionPart, auctionSpan } from '#subjects/stock/web/shared/auction/auctionPlan.ts';
import { AuctionPanel } from '#subjects/stock/web/shared/RowPanel.tsx';
import { startLive } from '#web/live/market.ts';
import { fromSnapshot } from '#web/live/stream/marketState.ts';
import type { ToWindow } from '#web/live/stream/protocol.ts';
import { SurplusCell } from '#subjects/stock/web/shared/cells.tsx';
import { axisPrices } from '#subjects/stock/web/shared/auction/auctionPlan.ts';
import { aPreOpenStock } from '#support/aStock.ts';
import { results } from '#support/axe.ts';
import { pageApi } from '#support/fakeApi.ts';
import { aMeta } from '#support/market.ts';

const DAY = '2026-11-20';
const AUCTION = 'GET /api/data/auction';
const at = (hour: number, minute: number) => fromSydney(DAY, hour, minute);
const COLUMNS = {
  time: [at(8, 0), at(8, 30), at(9, 15)],
  price: [0.5, null, 0.54],
  volume: [1000, null, 100_000],
  surplus: [-300, null, 1200],
};
const answer = (columns: object) => ({ body: { symbol: 'ABC', date: DAY, columns, thinned: false } });
const STOCK = aPreOpenStock({ code: 'ABC' });

const server = pageApi(() => ({ [AUCTION]: answer(COLUMNS) }));
let receive: (message: ToWindow) => void;
let stop: () => void;
beforeEach(() => {
  stop = startLive((listener) => {
    receive = listener;
    return () => undefined;
  });
});
afterEach(() => stop());

const update = (stock: Stock, marketTime = at(9, 30)) =>
  act(() => {
    const snapshot = {
      stocks: { [stock.code]: { ...stock } },
      meta: aMeta({ dateToday: DAY, marketTime }),
      fx: { data: {}, lastUpdated: null },
    };
    receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' });
  });
const sliderText = () => screen.getByRole('slider').getAttribute('aria-valuetext');
async function show(): Promise<void> {
  update(STOCK);
  render(<AuctionPanel row={STOCK} />);
  await screen.findByRole('slider');
}

test('a closing auction is drawn apart from the opening one', () => {
  const columns = { time: [at(9, 0), at(16, 2)], price: [1, 2], volume: [3, 4], surplus: [5, 6] };
  expect(auctionPart(columns, DAY, 'open').price).toEqual([1]);
  expect(auctionPart(columns, DAY, 'close').price).toEqual([2]);
  expect(auctionSpan(DAY, auctionPart(columns, DAY, 'close'), 'close')).toEqual({
    from: at(16, 0),
    until: at(16, 11),
  });
});

describe('the opening auction of a row', () => {
  test('shows its newest change, and its numbers as a table', async () => {
    await show();
    expect(sliderText()).toBe('09:15:00, match 0.540, gap +8.0%, volume 100,000, surplus +1,200');
    expect(screen.getByRole('table').textContent).toContain('08:30:00––––');
    expect(await results(document.body)).toEqual([]);
  });

  test('is stepped through by the arrows, and Escape or leaving returns to the newest change', async () => {
    await show();
    const { keyboard } = userEvent.setup();
    screen.getByRole('slider').focus();
    await keyboard('{Home}');
    expect(sliderText()).toStartWith('08:00:00, match 0.500, gap 0.0%, volume 1,000, surplus −300');
    await keyboard('{ArrowRight}');
    expect(sliderText()).toStartWith('08:30:00, match –');
    await keyboard('{End}{ArrowLeft}');
    expect(sliderText()).toStartWith('08:30:00');
    await keyboard('{Escape}');
    expect(sliderText()).toStartWith('09:15:00');
  });

  test('follows the stream without another request', async () => {
    await show();
    update(STOCK);
    update({ ...STOCK, match_price: 0.55, buy_surplus: -700 }, at(9, 31));
    await waitFor(() => expect(sliderText()).toContain('match 0.550'));
    expect(sliderText()).toContain('surplus −700');
    update({ ...STOCK, status: 'Open', match_price: null, match_vol: null, buy_surplus: null }, at(10, 0));
    expect(sliderText()).toContain('match 0.550');
    expect(server.to('/api/data/auction')).toHaveLength(1);
  });
});

const cell = (change: object) =>
  render(<SurplusCell row={{ ...STOCK, ...change }}>+1,200</SurplusCell>).container.textContent;

test('the mark of a surplus flip is shown in words while the flip is new, never on a finished auction', () => {
  expect(cell({})).toBe('+1,200');
  expect(cell({ surplusFlip: 1 })).toContain('Flipped to buyers in the last minute: +1,200');
  expect(cell({ surplusFlip: -1 })).toContain('Flipped to sellers in the last minute');
  expect(cell({ surplusFlip: 1, preopenCached: true })).toBe('+1,200');
});

test.each([
  ['between two steps of a tenth of a cent', 0.0448, 0.0462, [0.046, 0.045]],
  ['of the cheapest stocks', 0.0019, 0.0031, [0.003, 0.002]],
  ['across the half-cent steps', 0.1, 0.2, [0.15, 0.11, 0.19]],
  ['of a price that never changed', 0.04495, 0.04505, [0.045]],
])('the price axis of an auction has valid order prices, %s', (_name, low, high, prices) => {
  expect(axisPrices(low, high)).toEqual(prices);
});

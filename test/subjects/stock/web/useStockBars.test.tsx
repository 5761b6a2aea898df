import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Stock } from '../../../../src/market/rules/stock.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { useStockBars } from '../../../../src/subjects/stock/web/shared/chart/useStockBars.ts';
import { startLive } from '../../../../web/live/market.ts';
import { fromSnapshot } from '../../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../../web/live/stream/protocol.ts';
import { aStock } from '../../../support/aStock.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { aMeta } from '../../../support/market.ts';

/** 11:00 on Wednesday 18 November 2026 in Sydney. */
const ELEVEN = fromSydney('2026-11-18', 11, 0);
const ONE_BAR = { time: [ELEVEN], open: [50], high: [50], low: [50], close: [50], volume: [100] };
const QUOTE = { date: '2026-11-18', last: 50, high: 50, low: 50, volume: 100 };

let server: ReturnType<typeof fakeApi>;
let receive: (message: ToWindow) => void;
let stop: () => void;
beforeEach(() => {
  server = fakeApi({
    'GET /api/data/bars': { body: { symbol: 'ABC', tf: '1', bars: ONE_BAR, quote: QUOTE } },
  });
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

/** A tick of the stream, at 11:00 on the market's clock. */
const tell = (stock: Partial<Stock>) =>
  act(() => {
    const meta = aMeta({ marketTime: ELEVEN, dateToday: '2026-11-18' });
    const live = aStock({ code: 'ABC', status: 'Open', open: 50, low: 50, ...stock });
    const snapshot = { stocks: { ABC: live }, meta, fx: { data: {}, lastUpdated: null } };
    receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' });
  });

test('a chart’s bars begin with the quote that is there when they come, and each tick renders it once', async () => {
  const shown: (number | undefined)[] = [];
  function Chart(): ReactNode {
    const { bars } = useStockBars('ABC', '1').state.value;
    shown.push(bars.close.at(-1));
    return null;
  }
  tell({ last: 51, high: 51, volume: 200 });
  render(<Chart />);
  await waitFor(() => expect(shown.at(-1)).toBe(51));
  // Never with the bars as they were before the quote.
  expect(new Set(shown)).toEqual(new Set([undefined, 51]));
  const before = shown.length;
  tell({ last: 52, high: 52, volume: 300 });
  expect(shown.slice(before)).toEqual([52]);
});

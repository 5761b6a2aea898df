import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { Stock } from '../../../../src/market/rules/stock.ts';
import { ScannerPage } from '../../../../src/subjects/scanners/web/ScannerPage.tsx';
import { SETTLE_MS } from '../../../../web/ui/table/heldOrder.ts';
import { READING_MS } from '../../../../web/ui/table/useReading.ts';
import { startLive } from '../../../../web/live/market.ts';
import { fromSnapshot } from '../../../../web/live/stream/marketState.ts';
import type { ToWindow, Watch } from '../../../../web/live/stream/protocol.ts';
import { aStock } from '../../../support/aStock.ts';
import { giveLayout } from '../../../support/layout.ts';
import { aMeta } from '../../../support/market.ts';

let receive: (message: ToWindow) => void;
let watched: Watch[] = [];
let stops: (() => void)[] = [];

beforeEach(() => {
  watched = [];
  jest.useFakeTimers();
  stops = [
    giveLayout(),
    startLive((take) => {
      receive = take;
      return (message) => {
        if (message.type === 'watch') watched.push(message.watch);
      };
    }),
  ];
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
  for (const stop of stops) stop();
});

const show = (...stocks: Stock[]) =>
  act(() =>
    receive({
      type: 'state',
      state: fromSnapshot(
        {
          stocks: Object.fromEntries(stocks.map((stock) => [stock.code, stock])),
          meta: aMeta(),
          fx: { data: {}, lastUpdated: null },
        },
        Date.now(),
      ),
      connection: 'live',
    }),
  );

const left = (code: string, last: number) => aStock({ code, last, change: -1, close: 0.5, vwap: 0.9 });

const pass = (ms: number) => act(() => void jest.advanceTimersByTime(ms));
/** More than what the page puts off: the drawing of a tick, and telling what it watches. */
const DRAWN_MS = 1000;

test('a stock whose row is held after it has left the scanner is watched by its code, until the row goes', () => {
  render(<ScannerPage scanner="intraDaySmall" />);
  pass(DRAWN_MS);
  expect(watched.at(-1)?.scanners).toEqual(['intraDaySmall']);
  show(aStock({ code: 'ABC' }), aStock({ code: 'DEF' }));
  // The first rows settle, and are not held before.
  pass(SETTLE_MS);
  fireEvent.pointerMove(screen.getByText('ABC'), { clientX: 1, clientY: 1, pointerType: 'mouse' });
  show(left('ABC', 0.31), aStock({ code: 'DEF' }));
  pass(DRAWN_MS);
  expect(watched.at(-1)?.codes).toEqual(['ABC']);
  // Its price still moves.
  show(left('ABC', 0.29), aStock({ code: 'DEF', last: 0.6 }));
  pass(DRAWN_MS);
  screen.getByText('0.290');
  expect(watched.at(-1)?.codes).toEqual(['ABC']);
  pass(READING_MS);
  show(left('ABC', 0.29), aStock({ code: 'DEF', last: 0.7 }));
  pass(DRAWN_MS);
  expect(screen.queryByText('ABC')).toBeNull();
  show(left('ABC', 0.29), aStock({ code: 'DEF', last: 0.8 }));
  pass(DRAWN_MS);
  expect(watched.at(-1)?.codes).toEqual([]);
});

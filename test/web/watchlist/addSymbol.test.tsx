import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AddSymbol } from '../../../web/features/watchlist/parts/AddSymbol.tsx';
import { changeError, resetWatchlist } from '../../../web/features/watchlist/state.ts';
import { startLive } from '../../../web/shared/live/market.ts';
import { fromSnapshot } from '../../../web/shared/live/stream/marketState.ts';
import type { ToWindow } from '../../../web/shared/live/stream/protocol.ts';
import { fakeApi } from '../../support/fakeApi.ts';
import { aSnapshot } from '../../support/market.ts';
import { box } from '../../support/watchlistScreen.tsx';

let server: ReturnType<typeof fakeApi>;
let receive: (message: ToWindow) => void;
let stopLive: () => void;
beforeEach(() => {
  server = fakeApi({ 'POST /api/watchlist': { body: { id: 1, symbol: 'CBA', alertCount: 0 } } });
  stopLive = startLive((given) => {
    receive = given;
    return () => {};
  });
});
afterEach(() => {
  cleanup();
  stopLive();
  resetWatchlist();
  server.restore();
});

const market = (codes: string[], stockCount: number) =>
  act(() =>
    receive({
      type: 'state',
      connection: 'live',
      state: fromSnapshot(aSnapshot(codes, { stockCount }), Date.now()),
    }),
  );
const show = () => render(<AddSymbol box={{ current: null }} onKnown={() => {}} />);

test('a symbol that is sent before the rest of the market is there waits for it', async () => {
  show();
  market(['BHP'], 2);
  await userEvent.type(box(), 'CBA{Enter}');
  expect(screen.getByRole('button', { name: 'Adding…' })).toBeTruthy();
  expect([server.calls.length, changeError.value]).toEqual([0, null]);
  market(['BHP', 'CBA'], 2);
  await waitFor(() => expect(server.calls.map(({ body }) => body)).toEqual([{ symbol: 'CBA' }]));
  await waitFor(() => expect(box().value).toBe(''));
});

test('one that the rest does not have either is refused, and a count that never fits is not awaited for long', async () => {
  show();
  market(['BHP'], 2);
  await userEvent.type(box(), 'CBA{Enter}');
  await waitFor(() => expect(changeError.value).toBe('Select a symbol from the live list'));
  expect(box().value).toBe('CBA');
});

test('while a symbol waits another one can be typed', async () => {
  show();
  market(['BHP'], 3);
  await userEvent.type(box(), 'CBA{Enter}');
  await userEvent.type(box(), 'X');
  expect(screen.getByRole('button', { name: 'Add' })).toBeTruthy();
  market(['BHP', 'CBA', 'CBAX'], 3);
  await act(() => new Promise((done) => setTimeout(done, 50)));
  expect(server.calls).toHaveLength(0);
});

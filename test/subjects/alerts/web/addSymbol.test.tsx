import { afterEach, beforeEach, expect, test } from 'bun:test';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AddSymbol } from '../../../../src/subjects/alerts/web/watchlist/parts/AddSymbol.tsx';
import { changeError, resetWatchlist } from '../../../../src/subjects/alerts/web/watchlist/state.ts';
import { startLive } from '../../../../web/live/market.ts';
import { fromSnapshot } from '../../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../../web/live/stream/protocol.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { aSnapshot } from '../../../support/market.ts';
import { box } from '../../../support/watchlistScreen.tsx';

const ADDED = { id: 1, symbol: 'CBA', alertCount: 0 };
type Reply = { status?: number; body: object };
let answer: () => Reply | Promise<Reply>;
let server: ReturnType<typeof fakeApi>;
let receive: (message: ToWindow) => void;
let stopLive: () => void;
beforeEach(() => {
  answer = () => ({ body: ADDED });
  server = fakeApi({ 'POST /api/watchlist': () => answer() });
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

test('a symbol that the window does not know yet is for the server to judge', async () => {
  show();
  market(['BHP'], 2);
  await userEvent.type(box(), 'CBA{Enter}');
  await waitFor(() => expect(server.calls.map(({ body }) => body)).toEqual([{ symbol: 'CBA' }]));
  await waitFor(() => expect(box().value).toBe(''));
  expect(changeError.value).toBe(null);
});

test('what the server refuses stays in the box, with its sentence', async () => {
  const error = 'Select a symbol from the live list';
  answer = () => ({ status: 400, body: { error, field: 'symbol' } });
  show();
  market(['BHP'], 1);
  await userEvent.type(box(), 'CBA{Enter}');
  await waitFor(() => expect(changeError.value).toBe(error));
  expect([box().value, box().getAttribute('aria-invalid')]).toEqual(['CBA', 'true']);
});

test('what is typed while a symbol is being added stays', async () => {
  const added = Promise.withResolvers<void>();
  answer = () => added.promise.then(() => ({ body: ADDED }));
  show();
  market(['BHP', 'CBA'], 2);
  await userEvent.type(box(), 'CBA{Enter}');
  expect(screen.getByRole('button', { name: 'Adding…' })).toBeTruthy();
  await userEvent.clear(box());
  await userEvent.type(box(), 'X');
  added.resolve();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add' })).toBeTruthy());
  expect(box().value).toBe('X');
});

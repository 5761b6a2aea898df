import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HintLine } from '../../../web/app/hints/HintLine.tsx';
import { Nav } from '../../../web/app/Header.tsx';
import { requestedCall } from '../../../src/subjects/calls/web/shared/requestedCall.ts';
import { followScanners, lastScanner } from '../../../web/router/lastScanner.ts';
import { navigate } from '../../../web/router/navigate.ts';
import { startRouter } from '../../../web/router/router.ts';
import { endSession, startSession } from '../../../src/subjects/accounts/web/shared/session/session.ts';
import { beginHints } from '../../../src/subjects/accounts/web/shared/session/newUser.ts';
import { loadSettings, startSettings } from '../../../web/shared/settings.ts';
import { findings } from '../../support/axe.ts';
import { fakeApi, MAGGIE } from '../../support/fakeApi.ts';
import { giveLayout } from '../../support/layout.ts';
import { codes, row, screenOf, THREE_STOCKS } from '../../support/scannerScreen.tsx';

const TITLE = 'Top Movers under $1';
const token = (uid: number) => `x.${btoa(JSON.stringify({ uid }))}.y`;

let server: ReturnType<typeof fakeApi>;
let stops: (() => void)[];
beforeEach(async () => {
  server = fakeApi({
    'GET /api/settings': { body: { ...MAGGIE, quoteSite: 'commsec' } },
    'GET /api/watchlist': { body: { items: [] } },
    'POST /api/watchlist': { body: { item: { id: 1, symbol: 'BBB', alertCount: 0 } } },
  });
  stops = [giveLayout(), startRouter(), startSettings(), followScanners()];
  startSession({ accessToken: token(7), accessLevel: 1 });
  navigate('/intra-day-small');
  await loadSettings();
});
afterEach(() => {
  cleanup();
  endSession();
  for (const stop of stops) stop();
  server.restore();
});

async function openMenu(code: string) {
  fireEvent.contextMenu(row(code), { clientX: 5, clientY: 5 });
  return await screen.findByRole('menu', { name: code });
}
const choose = (name: string) => userEvent.click(screen.getByRole('menuitem', { name }));

describe('the menu of a row', () => {
  test('opens the stock at the site that was chosen in Settings, watches it and copies its code', async () => {
    const opened: string[] = [];
    const realOpen = window.open;
    window.open = ((url: string) => opened.push(url) && null) as unknown as typeof window.open;
    try {
      const user = userEvent.setup();
      render(screenOf('intraDaySmall', THREE_STOCKS));
      const menu = await openMenu('BBB');
      expect(await findings(menu)).toEqual([]);
      await choose('Open at CommSec');
      expect(opened).toEqual(['https://www2.commsec.com.au/quotes/summary?stockCode=BBB&exchangeCode=ASX']);
      await openMenu('BBB');
      await choose('Add to your watchlist');
      await waitFor(() => expect(server.to('/api/watchlist').at(-1)?.body).toEqual({ symbol: 'BBB' }));
      await openMenu('AAA');
      await user.click(screen.getByRole('menuitem', { name: 'Copy code' }));
      await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('AAA'));
    } finally {
      window.open = realOpen;
    }
  });

  test('adds a call of it', async () => {
    render(screenOf('intraDaySmall', THREE_STOCKS));
    await openMenu('AAA');
    await choose('Add Call');
    expect(requestedCall.value?.symbol).toBe('AAA');
    expect(window.location.hash).toBe('#/calls');
  });
});

describe('Scanners in the navigation', () => {
  const way = () => screen.getByRole('link', { name: 'Scanners' }).getAttribute('href');

  test('returns to the scanner that was left, in this window and for this user', () => {
    render(<Nav />);
    expect(way()).toBe('#/scanners');
    act(() => navigate('/custom-scanner'));
    act(() => navigate('/settings'));
    expect(way()).toBe('#/custom-scanner');
    expect(window.sessionStorage.getItem('bellbird.lastScanner')).toBe('/custom-scanner');
    act(() => endSession());
    expect(lastScanner.value).toBeNull();
    expect(window.sessionStorage.getItem('bellbird.lastScanner')).toBeNull();
  });
});

describe('the hint of an intraday scanner', () => {
  test('says what the table is, and sorts it by Change by one press', async () => {
    beginHints(token(7));
    render(
      <>
        {screenOf('intraDaySmall', [
          ...THREE_STOCKS.map((stock) => ({ ...stock, change_percent: stock.code === 'AAA' ? 90 : 1 })),
        ])}
        <HintLine />
      </>,
    );
    const hint = screen.getByRole('complementary', { name: 'Hint' });
    expect(hint.textContent).toContain('Today’s movers. Click a heading to sort.');
    expect(codes(TITLE)[0]).toBe('BBB');
    await userEvent.click(screen.getByRole('button', { name: 'Sort by Change' }));
    expect(codes(TITLE)[0]).toBe('AAA');
  });
});

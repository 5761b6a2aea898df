import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../../../web/app/App.tsx';
// Screens and dialogs come when they are first shown; here before the first test, which would wait while they are compiled.
import '../../../web/app/palette/Palette.tsx';
import '../../../src/subjects/calls/web/parts/SubmitCallDialog.tsx';
import '../../../src/subjects/scanners/web/ScannerPage.tsx';
import '../../../src/subjects/scanners/web/custom/CustomScanner.tsx';
import '../../../src/subjects/settings/web/SettingsPage.tsx';
import '../../../src/subjects/announcements/web/shared/NewsRow.tsx';
import { startLive } from '../../../web/live/market.ts';
import { findEntries, findStocks, scannerFor } from '../../../web/app/palette/search.ts';
import { preferences, prefer } from '../../../web/shared/preferences.ts';
import { navigate } from '../../../web/router/navigate.ts';
import { startRouter } from '../../../web/router/router.ts';
import { endSession, startSession } from '../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '../../../web/shared/settings.ts';
import { isPaletteKey } from '../../../web/app/shortcuts/shortcuts.ts';
import { fromSnapshot } from '../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../web/live/stream/protocol.ts';
import { requestedRow } from '../../../web/shared/scannerRequests.ts';
import { aStock } from '../../support/aStock.ts';
import { findings } from '../../support/axe.ts';
import { fakeApi, MAGGIE } from '../../support/fakeApi.ts';
import { giveLayout } from '../../support/layout.ts';
import { aMeta } from '../../support/market.ts';

const small = aStock({ code: 'SML', name: 'Small Gold Limited' });
const poor = aStock({ code: 'POR', name: 'Poor Small Limited', value: 100 });
const big = aStock({ code: 'BIG', name: 'Big Bank', open: 50, close: 50, last: 51, marketCap: 9e9 });
const flat = aStock({ code: 'SM', name: 'Sinking Mine', change: -0.1, vwap: 0.9 });
const market = [small, poor, big, flat];

describe('finding', () => {
  const codes = (typed: string) => findStocks(market, typed).map(({ code }) => code);
  test('stocks by code before name, exact before partial; nothing before something is typed', () => {
    expect(codes(' sm ')).toEqual(['SM', 'SML', 'POR']);
    expect(codes('bank')).toEqual(['BIG']);
    expect(codes('ank')).toEqual([]);
    expect(codes('  ')).toEqual([]);
  });
  test('a handful of stocks at most', () => {
    const many = Array.from({ length: 50 }, (_, at) => aStock({ code: `A${at}` }));
    expect(findStocks(many, 'a')).toHaveLength(8);
  });
  test('screens and actions by all words typed, in any order', () => {
    const entry = { id: '1', label: 'Switch to the light theme', about: 'Action', words: 'colour', run() {} };
    const found = (typed: string) => findEntries([entry], typed).length;
    expect(['', 'theme light', 'COLOUR act'].map(found)).toEqual([1, 1, 1]);
    expect(['dark', 'theme dark'].map(found)).toEqual([0, 0]);
  });
  test('the scanner in sight when it shows the stock, else the first that does, else the custom one', () => {
    expect(scannerFor(small, null, false)).toBe('intraDaySmall');
    expect(scannerFor(small, 'custom', false)).toBe('custom');
    expect(scannerFor(big, 'intraDaySmall', false)).toBe('intraDayLargeCap');
    expect(scannerFor(flat, 'intraDaySmall', false)).toBe('custom');
  });
  test('the key is Ctrl or Cmd and K', () => {
    const press = (change: object) => ({
      key: 'k',
      code: 'KeyK',
      shiftKey: false,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      ...change,
    });
    expect([{ ctrlKey: true }, { metaKey: true, key: 'K' }].map((on) => isPaletteKey(press(on)))).toEqual([
      true,
      true,
    ]);
    expect(
      [{}, { ctrlKey: true, altKey: true }, { ctrlKey: true, key: 'j' }].map((on) => isPaletteKey(press(on))),
    ).toEqual([false, false, false]);
  });
});

describe('the palette', () => {
  let server: ReturnType<typeof fakeApi>;
  let sent: string[];
  let receive: (message: ToWindow) => void;
  let stops: (() => void)[];
  const realOpen = window.open;
  beforeEach(() => {
    sent = [];
    server = fakeApi({
      'GET /api/settings': { body: { ...MAGGIE, quoteSite: 'asx' } },
      'GET /api/app': { body: { test: false, donateUrl: null, version: '0', commit: 'c' } },
      'GET /api/test/status': { body: { test: false } },
      'GET /api/calls/leaderboard': { body: { calls: [], leaderboard: [], fetchedAt: Date.now() } },
    });
    window.location.hash = '#/login';
    stops = [
      giveLayout(),
      startRouter(),
      startSettings(),
      startLive((take) => {
        receive = take;
        return (message) => sent.push(message.type);
      }),
    ];
  });
  afterEach(() => {
    endSession();
    for (const stop of stops) stop();
    server.restore();
    window.open = realOpen;
    prefer({ theme: 'dark' });
  });

  async function open(route: string, level: number) {
    if (level > 0) {
      startSession({ accessToken: 'token', accessLevel: level });
      await loadSettings();
    }
    navigate(route);
    render(<App />);
    act(() =>
      receive({
        type: 'state',
        connection: 'live',
        state: fromSnapshot(
          {
            stocks: Object.fromEntries(market.map((stock) => [stock.code, { ...stock }])),
            meta: aMeta({ stockCount: market.length }),
            fx: { data: {}, lastUpdated: null },
          },
          Date.now(),
        ),
      }),
    );
    await userEvent.keyboard('{Control>}k{/Control}');
    return screen.findByRole('combobox', { name: 'Symbol, screen or action' });
  }
  const labels = () => screen.queryAllByRole('option').map((option) => option.textContent);
  const chosen = () =>
    document.getElementById(
      screen
        .getByRole('combobox', { name: 'Symbol, screen or action' })
        .getAttribute('aria-activedescendant') ?? '',
    )?.textContent;
  const closed = () => waitFor(() => expect(screen.queryByRole('dialog') === null).toBe(true));

  test('jumps to a stock’s row, past the filters of its scanner, which stay as they are', async () => {
    const box = await open('/settings', 1);
    await userEvent.type(box, 'por');
    expect(chosen()).toBe('PORPoor Small Limited, in Intra-Day < $1');
    await userEvent.keyboard('{Enter}');
    await closed();
    expect(window.location.hash).toBe('#/intra-day-small');
    const filter = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Filter by code or name' });
    expect(filter.value).toBe('');
    const rows = () =>
      [...document.querySelectorAll<HTMLElement>('tr[data-id]')].map((row) => row.dataset.id);
    expect(rows().toSorted()).toEqual(['POR', 'SML']);
    await waitFor(() => expect(document.activeElement?.getAttribute('data-id')).toBe('POR'));
    expect(screen.getByRole('textbox', { name: 'Min value in dollars' })).toHaveProperty('value', '$5,000');
    await userEvent.type(filter, 'sm');
    expect(rows()).toEqual(['SML']);
    expect(requestedRow.value).toBeNull();
  });

  test('selects the row that it jumps to: Enter opens it', async () => {
    const box = await open('/intra-day-small', 1);
    await userEvent.type(box, 'por{Enter}');
    await closed();
    await waitFor(() => expect(document.activeElement?.getAttribute('data-id')).toBe('POR'));
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('heading', { name: /POR/ });
  });

  test('knows what can be done on the screen, and the saved scans', async () => {
    server.answers['GET /api/indicators/prefs'] = { body: { prefs: { refs: [] } } };
    server.answers['GET /api/indicators/scans'] = {
      body: {
        scans: [
          { id: 7, name: 'Morning dips', logic: { op: 'AND', conditions: [] }, createdAt: 1, updatedAt: 1 },
        ],
      },
    };
    let box = await open('/intra-day-small', 1);
    await waitFor(() => expect(labels()).toContain('Morning dipsSaved scan'));
    for (const label of ['Configure ColumnsAction', 'Clear the filtersAction', 'Add CallAction']) {
      expect(labels()).toContain(label);
    }
    await userEvent.type(box, 'dips{Enter}');
    await closed();
    expect(window.location.hash).toBe('#/custom-scanner');
    await waitFor(() =>
      expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Scan' }).value).toBe('7'),
    );
    await userEvent.keyboard('{Control>}k{/Control}');
    box = await screen.findByRole('combobox', { name: 'Symbol, screen or action' });
    expect(labels()).toContain('Edit Morning dipsAction');
    await userEvent.type(box, 'add call{Enter}');
    await screen.findByRole('dialog', { name: 'Submit Call' });
  });

  test('is left with its screen: the jump does not come back', async () => {
    const box = await open('/intra-day-small', 1);
    await userEvent.type(box, 'por{Enter}');
    await closed();
    expect(requestedRow.value).toEqual({ scanner: 'intraDaySmall', code: 'POR' });
    act(() => navigate('/settings'));
    await screen.findByRole('heading', { name: 'Settings' });
    expect(requestedRow.value).toBeNull();
  });

  test('opens the best match’s quote page at the chosen site', async () => {
    const opened: unknown[] = [];
    window.open = ((...given: unknown[]) => {
      opened.push(given);
      return null;
    }) as typeof window.open;
    const box = await open('/settings', 1);
    await userEvent.type(box, 'sm');
    expect(labels().slice(0, 4)).toEqual([
      'SMSinking Mine, in Custom',
      'SMQuote at ASX (official)',
      'Chart SMSinking Mine',
      'SMLSmall Gold Limited, in Intra-Day < $1',
    ]);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(opened).toEqual([['https://www.asx.com.au/markets/company/SM', '_blank', 'noopener,noreferrer']]);
  });

  test('goes to screens and does things, by arrow keys round the ends', async () => {
    let box = await open('/settings', 1);
    expect(labels()).not.toContain('AdminScreen');
    await userEvent.keyboard('{ArrowUp}');
    expect(chosen()).toBe('LogoutAction');
    await userEvent.keyboard('{ArrowDown}');
    expect(chosen()).toBe('Pre-MarketScreen');
    await userEvent.type(box, 'fx{Enter}');
    await closed();
    expect(window.location.hash).toBe('#/fx-news');
    const again = async (typed: string) => {
      await userEvent.keyboard('{Meta>}k{/Meta}');
      box = await screen.findByRole('combobox', { name: 'Symbol, screen or action' });
      await userEvent.type(box, typed);
    };
    await again('light{Enter}');
    await closed();
    expect(preferences.value.theme).toBe('light');
    await again('reconnect{Enter}');
    await closed();
    expect(sent).toContain('retry');
    await again('list keys{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Keyboard' })).toBeTruthy();
  });

  test('says when nothing matches, closes with Escape, and opens over no other dialog', async () => {
    const box = await open('/settings', 1);
    await userEvent.type(box, 'zzz');
    expect(labels()).toEqual([]);
    // Once the headlines were searched too.
    await waitFor(() =>
      expect(within(screen.getByRole('dialog')).getByRole('status').textContent).toStartWith(
        'Nothing matches.',
      ),
    );
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('dialog')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await closed();
    await userEvent.keyboard('?');
    await screen.findByRole('dialog', { name: 'Keyboard' });
    await userEvent.keyboard('{Control>}k{/Control}');
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    expect(screen.queryByRole('combobox', { name: 'Symbol, screen or action' })).toBeNull();
  });

  test('shows a visitor what a visitor may have', async () => {
    const box = await open('/calls', 0);
    expect(labels().slice(0, 3)).toEqual(['CallsScreen', 'LoginScreen', 'RegisterScreen']);
    expect(labels()).not.toContain('LogoutAction');
    await userEvent.type(box, 'sml');
    expect(labels()).toEqual([]);
  });

  test('axe finds nothing, with matches and without', async () => {
    const box = await open('/settings', 4);
    expect(labels()).toContain('AdminScreen');
    expect(await findings(document.body)).toEqual([]);
    await userEvent.type(box, 'zzz');
    expect(await findings(document.body)).toEqual([]);
  });
});

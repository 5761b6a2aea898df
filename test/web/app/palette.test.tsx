import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
// Loads screens and dialogs before the first test, which would otherwise wait while they compile.
import '#subjects/calls/web/parts/SubmitCallDialog.tsx';
import '#subjects/scanners/web/ScannerPage.tsx';
import '#subjects/scanners/web/custom/CustomScanner.tsx';
import '#subjects/settings/web/SettingsPage.tsx';
import '#subjects/stock/web/shared/RowPanel.tsx';
import { findEntries, findStocks, scannerFor } from '#web/app/palette/entries.ts';
import { prefer, preferences } from '#web/shared/preferences.ts';
import { requestedRow } from '#web/shared/scannerRequests.ts';
import { aStock } from '#support/aStock.ts';
import { appByHand } from '#support/appByHand.tsx';

const small = aStock({ code: 'SML', name: 'Small Gold Limited' });
const poor = aStock({ code: 'POR', name: 'Poor Small Limited', value: 100 });
const big = aStock({ code: 'BIG', name: 'Big Bank', open: 50, close: 50, last: 51, marketCap: 9e9 });
const flat = aStock({ code: 'SM', name: 'Sinking Mine', change: -0.1, vwap: 0.9 });
const market = [small, poor, big, flat];

describe('search', () => {
  const codes = (typed: string) => findStocks(market, typed).map(({ code }) => code);
  test('finds stocks by code before name, exact before partial, and nothing for empty input', () => {
    expect(codes(' sm ')).toEqual(['SM', 'SML', 'POR']);
    expect(codes('bank')).toEqual(['BIG']);
    expect(codes('ank')).toEqual([]);
    expect(codes('  ')).toEqual([]);
  });
  test('finds screens and actions by all words typed, in any order', () => {
    const entry = { id: '1', label: 'Switch to the light theme', about: 'Action', words: 'colour', run() {} };
    const found = (typed: string) => findEntries([entry], typed).length;
    expect(['', 'theme light', 'COLOUR act'].map(found)).toEqual([1, 1, 1]);
    expect(['dark', 'theme dark'].map(found)).toEqual([0, 0]);
  });
  test('prefers the visible scanner if it has the stock, then the first that has it, then the custom one', () => {
    expect(scannerFor(small, null, false)).toBe('intraDaySmall');
    expect(scannerFor(small, 'custom', false)).toBe('custom');
    expect(scannerFor(big, 'intraDaySmall', false)).toBe('intraDayLargeCap');
    expect(scannerFor(flat, 'intraDaySmall', false)).toBe('custom');
  });
});

describe('the palette', () => {
  const app = appByHand();
  afterEach(() => {
    prefer({ theme: 'dark' });
  });

  async function open(route: string) {
    await app.open(route, 1);
    app.live.show(market);
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

  test('shows a stock in the pane, from another screen beside its scanner', async () => {
    const box = await open('/settings');
    await userEvent.type(box, 'por{Enter}');
    await closed();
    expect(window.location.hash).toBe('#/intra-day-small');
    await screen.findByRole('complementary', { name: 'Selected stock' });
    await screen.findByRole('heading', { name: 'POR' });
  });

  test('keeps what is typed before its field appears, Enter included', async () => {
    await app.open('/calls', 1);
    app.live.show(market);
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    for (const key of ['p', 'o', 'r', 'Enter']) fireEvent.keyDown(document.body, { key });
    await screen.findByRole('heading', { name: 'POR' });
    expect(window.location.hash).toBe('#/intra-day-small');
  });

  test('on a narrow screen jumps to a stock’s row, past the filters of its scanner', async () => {
    const { matchMedia } = window;
    const narrow = spyOn(window, 'matchMedia');
    narrow.mockImplementation((query) =>
      Object.defineProperty(matchMedia.call(window, query), 'matches', { value: false }),
    );
    const box = await open('/settings');
    await userEvent.type(box, 'por');
    expect(chosen()).toBe('PORPoor Small Limited, in Intra-Day < $1');
    await userEvent.keyboard('{Enter}');
    await closed();
    expect(window.location.hash).toBe('#/intra-day-small');
    const filter = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Filter by code or name' });
    expect(filter.value).toBe('');
    const rows = () =>
      [...document.querySelectorAll<HTMLElement>('tr[data-id]')].map((row) => row.dataset.id);
    expect(rows()).toContain('POR');
    await waitFor(() => expect(document.activeElement?.getAttribute('data-id')).toBe('POR'));
    expect(document.querySelector('[data-detail="POR"]')).not.toBeNull();
    screen.getByRole('button', { name: 'Min value $5,000' });
    await userEvent.type(filter, 'sm');
    expect(rows()).toEqual(['SML']);
    expect(requestedRow.value).toBeNull();
    narrow.mockRestore();
  });

  test('offers the actions of the screen, and the saved scans', async () => {
    app.server.answers['GET /api/indicators/prefs'] = { body: { prefs: { refs: [] } } };
    app.server.answers['GET /api/indicators/scans'] = {
      body: {
        scans: [
          { id: 7, name: 'Morning dips', logic: { op: 'AND', conditions: [] }, createdAt: 1, updatedAt: 1 },
        ],
      },
    };
    let box = await open('/intra-day-small');
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

  test('opens screens and runs actions, with arrow keys that wrap around', async () => {
    let box = await open('/settings');
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
    expect(app.live.sent).toContainEqual({ type: 'retry' });
    await again('list keys{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Keyboard' })).toBeTruthy();
  });
});

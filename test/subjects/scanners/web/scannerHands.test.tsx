import { describe, expect, spyOn, test } from 'bun:test';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { endSession, startSession } from '#subjects/accounts/web/shared/session/session.ts';
import { loadSettings, startSettings } from '#web/shared/settings.ts';
import { emptyPane, paneStock } from '#web/windows/stockPane.ts';
import { layOutEachTest } from '#support/layout.ts';
import { SHOW_ALL, THREE_STOCKS, codes, remember, row, screenOf } from '#support/scannerScreen.tsx';
import { results } from '#support/axe.ts';
import { MAGGIE, fakeApi } from '#support/fakeApi.ts';

layOutEachTest();

const cellOf = (code: string) => {
  const found = row(code).querySelector('td.cell:last-child');
  if (!found) throw new Error('The row has no cells.');
  return found;
};
const details = () => document.querySelectorAll('tr[data-detail]').length;

describe('the keyboard', () => {
  test('moves, opens, closes and leaves', async () => {
    remember('intraDaySmall', SHOW_ALL);
    render(screenOf('intraDaySmall', THREE_STOCKS));
    // A button that was clicked keeps the focus, and letters move the rows from there.
    screen.getByRole('button', { name: 'Shares' }).focus();
    await userEvent.keyboard('j');
    expect(document.activeElement).toBe(row('BBB'));
    await userEvent.keyboard('{ArrowDown}j{ArrowDown}');
    expect(document.activeElement).toBe(row('AAA'));
    await userEvent.keyboard('{Home}{Enter}');
    expect(screen.getByRole('article', { name: 'News for BBB' })).toBeDefined();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('article')).toBeNull();
    expect(document.activeElement).toBe(row('BBB'));
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement).toBe(document.body);
  });

  test('moves to the filter with /, and clears and leaves it with Escape', async () => {
    render(screenOf('intraDaySmall', THREE_STOCKS));
    await userEvent.keyboard('/aa');
    const box = screen.getByRole('textbox', { name: 'Filter by code or name' }) as HTMLInputElement;
    expect(document.activeElement).toBe(box);
    expect(box.value).toBe('aa');
    expect(codes('Top Movers under $1')).toEqual(['AAA']);
    await userEvent.keyboard('{Escape}');
    expect(box.value).toBe('');
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement).toBe(document.body);
  });
});

const atWidth = (isPhone: boolean) => {
  const real = window.matchMedia;
  window.matchMedia = ((query: string) => ({
    ...real.call(window, query),
    matches: isPhone,
    addEventListener() {},
    removeEventListener() {},
  })) as typeof window.matchMedia;
  return () => {
    window.matchMedia = real;
  };
};
test.each([
  ['shows its stock in a sheet on a phone', true, [0]],
  ['selects it on a desktop, then opens it, then closes it', false, [0, 1, 0]],
] as const)('a tap on a row %s', async (_, isPhone, opened) => {
  const restore = atWidth(isPhone);
  try {
    render(screenOf('intraDaySmall', THREE_STOCKS));
    for (const count of opened) {
      await userEvent.click(cellOf(codes('Top Movers under $1')[0] ?? ''));
      expect(details()).toBe(count);
    }
    expect(paneStock.peek()).toBe(isPhone ? 'BBB' : null);
  } finally {
    emptyPane();
    restore();
  }
});

describe('a row on a desktop', () => {
  const selected = () =>
    [...document.querySelectorAll('tr[aria-selected="true"]')].map((line) => line.getAttribute('data-id'));
  const menuItems = async () =>
    (await screen.findAllByRole('menuitem')).map((item) => item.querySelector('span')?.textContent);

  test('is selected by a click, one at a time, and stays selected when the focus moves', async () => {
    render(screenOf('intraDaySmall', THREE_STOCKS));
    expect(selected()).toEqual([]);
    await userEvent.click(cellOf('AAA'));
    expect(selected()).toEqual(['AAA']);
    expect(document.activeElement).toBe(row('AAA'));
    await userEvent.click(cellOf('BBB'));
    expect(selected()).toEqual(['BBB']);
    expect(details()).toBe(0);
    await userEvent.keyboard('/');
    expect(selected()).toEqual(['BBB']);
  });

  test('does not open when a drag selects text', async () => {
    render(screenOf('intraDaySmall', THREE_STOCKS));
    await userEvent.click(cellOf('AAA'));
    window.getSelection()?.selectAllChildren(cellOf('AAA'));
    fireEvent.click(cellOf('AAA'));
    expect(details()).toBe(0);
    window.getSelection()?.removeAllRanges();
  });

  test('opens a menu by the right button, which selects it', async () => {
    render(screenOf('intraDaySmall', THREE_STOCKS));
    fireEvent.contextMenu(cellOf('BBB'), { clientX: 40, clientY: 60 });
    expect(await screen.findByRole('menu', { name: 'BBB' })).toBeDefined();
    expect(selected()).toEqual(['BBB']);
    expect(await menuItems()).toEqual([
      'Open BBB',
      'Show in the pane',
      'Add to your watchlist',
      'Alert me',
      'Add Call',
      'Open the chart',
      'Copy code',
    ]);
    await userEvent.click(screen.getByRole('menuitem', { name: 'Open BBB' }));
    expect(details()).toBe(1);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(row('BBB'));
  });

  test.each(['{ContextMenu}', '{Shift>}{F10}{/Shift}'])(
    'opens it by %s, and Escape returns the focus',
    async (keys) => {
      render(screenOf('intraDaySmall', THREE_STOCKS));
      await userEvent.keyboard('{ArrowDown}');
      await userEvent.keyboard(keys);
      expect(await screen.findByRole('menu', { name: 'BBB' })).toBeDefined();
      await userEvent.keyboard('{Escape}');
      expect(screen.queryByRole('menu')).toBeNull();
      expect(document.activeElement).toBe(row('BBB'));
      expect(details()).toBe(0);
    },
  );
});

test('the menu opens the stock at the chosen site, adds it to the watchlist and copies its code', async () => {
  const server = fakeApi({
    'GET /api/settings': { body: { ...MAGGIE, quoteSite: 'commsec' } },
    'GET /api/watchlist': { body: { items: [] } },
    'POST /api/watchlist': { body: { item: { id: 1, symbol: 'BBB', alertCount: 0 } } },
  });
  const stop = startSettings();
  startSession({ accessToken: 'token', accessLevel: 1 });
  await loadSettings();
  const open = spyOn(window, 'open').mockImplementation(() => null);
  const openMenu = async (code: string) => {
    fireEvent.contextMenu(row(code), { clientX: 5, clientY: 5 });
    return await screen.findByRole('menu', { name: code });
  };
  const user = userEvent.setup();
  const choose = (name: string) => user.click(screen.getByRole('menuitem', { name }));
  try {
    render(screenOf('intraDaySmall', THREE_STOCKS));
    expect(await results(await openMenu('BBB'))).toEqual([]);
    await choose('Open at CommSec');
    expect(open.mock.calls[0]?.[0]).toBe(
      'https://www2.commsec.com.au/quotes/summary?stockCode=BBB&exchangeCode=ASX',
    );
    await openMenu('BBB');
    await choose('Add to your watchlist');
    await waitFor(() => expect(server.to('/api/watchlist').at(-1)?.body).toEqual({ symbol: 'BBB' }));
    await openMenu('AAA');
    await choose('Copy code');
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('AAA'));
  } finally {
    open.mockRestore();
    endSession();
    stop();
    server.restore();
  }
});

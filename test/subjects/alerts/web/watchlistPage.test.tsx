import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'bun:test';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { publishAlert } from '#subjects/alerts/web/shared/alertStream.ts';
import { requestAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { routeQuery } from '#web/router/navigate.ts';
import { results } from '#support/axe.ts';
import {
  box,
  cellsOf,
  openRow,
  openWatchlist,
  press,
  rowOf,
  shown,
  symbolsIn,
} from '#support/watchlistScreen.tsx';
import { addToWatchlist } from '#subjects/alerts/web/shared/watchlists.ts';
import { eachTest } from '#support/eachTest.ts';

// Loaded ahead so that no test waits for the code of a menu.
await Promise.all([import('#subjects/alerts/web/watchlist/parts/ListMenu.tsx'), import('#ui/MenuSheet.tsx')]);

const page = eachTest(() => openWatchlist());

const alertText = () => screen.getByRole('alert').textContent;

describe('the tables', () => {
  test('each symbol is in the table of its status, with its figures', async () => {
    page.watch('XRO', 'CBA', 'BHP');
    page.alert('BHP', 50);
    await page.open();
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['BHP', 'CBA']));
    expect(symbolsIn('Pre-open')).toEqual(['XRO']);
    expect(cellsOf('XRO').slice(2, 7)).toEqual(['0', '121.500', '120.000', '121,500', '+1.3%']);
    expect(cellsOf('BHP').slice(2, 6)).toEqual(['1', '+2.6%', '40.000', '39.000']);
    expect(page.watched()).toMatchObject({ all: false, codes: ['BHP', 'CBA', 'XRO'] });
    expect(await results(document.body)).toEqual([]);
  });

  test('a symbol stays in place while its alert is being edited', async () => {
    page.watch('XRO');
    await page.open();
    const panel = await openRow('XRO');
    await press('More conditions…');
    const name = panel.getByLabelText<HTMLInputElement>('Name (optional)');
    await userEvent.type(name, 'Open');
    await shown(() => page.quote({ code: 'XRO', status: 'Open', open: 122, last: 122, volume: 5000 }));
    expect(symbolsIn('Pre-open')).toEqual(['XRO']);
    expect(document.activeElement).toBe(name);
    await userEvent.click(box());
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['XRO']));
    expect(symbolsIn('Pre-open')).toEqual([]);
    const moved = await screen.findByLabelText<HTMLInputElement>('Name (optional)');
    expect(moved.value).toBe('Open');
  });

  test('a symbol that is no longer listed shows dashes and a note, and can be removed', async () => {
    page.watch('BHP');
    page.app.db.$client.run(
      "INSERT INTO watchlist_items (user_id, list_id, symbol, created_at) VALUES (1, 1, 'OLD', 1)",
    );
    await page.open();
    await waitFor(() => expect(cellsOf('OLD').slice(3, 7)).toEqual(['–', '–', '–', '–']));
    await waitFor(() => expect(rowOf('OLD').textContent).toContain('Not listed'));
    await press('Remove OLD');
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['BHP']));
  });
});

describe('the list', () => {
  test('shows a failed load and loads again', async () => {
    page.watch('BHP');
    page.fail(({ url }) => (url.includes('/watchlist') ? Response.json({}, { status: 500 }) : null));
    const opened = page.open().catch(() => undefined);
    await screen.findByText('Failed to load watchlist');
    expect(screen.queryByRole('grid') === null).toBe(true);
    page.fail(null);
    await press('Retry');
    await opened;
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['BHP']));
    expect(screen.queryByRole('alert') === null).toBe(true);
  });

  test('is reloaded when another window changed it', async () => {
    await page.open();
    page.watch('CBA');
    act(() => publishAlert({ type: 'changed', alertId: null, symbol: 'CBA' }));
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['CBA']));
  });
});

describe('adding a symbol', () => {
  test('works by code and Enter in any case; the box empties and keeps the focus', async () => {
    await page.open();
    await userEvent.type(box(), 'bhp{Enter}');
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['BHP']));
    expect(box().value).toBe('');
    expect(document.activeElement).toBe(box());
    expect(page.changes()).toEqual(['POST /api/watchlist']);
  });

  test('that is not listed is refused in a banner that can be dismissed', async () => {
    await page.open();
    await userEvent.type(box(), 'QQQ');
    await press('Add');
    await waitFor(() => expect(alertText()).toContain('Select a symbol from the live list'));
    expect(box().getAttribute('aria-invalid')).toBe('true');
    await press('Dismiss');
    expect(screen.queryByRole('alert') === null).toBe(true);
    expect(symbolsIn('Trading')).toEqual([]);
  });
});

test('removing a symbol with alerts asks first, and removes them too', async () => {
  page.watch('BHP');
  page.alert('BHP', 50);
  await page.open();
  await press('Remove BHP');
  await screen.findByText('BHP has 1 alert, which is deleted with it.');
  expect(page.changes()).toEqual([]);
  await press('Cancel');
  expect(symbolsIn('Trading')).toEqual(['BHP']);
  await press('Remove BHP');
  await press('Remove with 1 alert');
  await waitFor(() => expect(screen.getByText('No trading symbols')).toBeTruthy());
  expect(document.activeElement).toBe(box());
  expect(page.alerts()).toEqual([]);
});

describe('opening the page for a symbol', () => {
  test('by a link opens its row once', async () => {
    page.watch('BHP', 'CBA');
    await page.open('/watchlist?symbol=bhp');
    await screen.findByRole('region', { name: 'Alerts on BHP' });
    expect(document.activeElement).toBe(rowOf('BHP'));
    expect(routeQuery.value.get('symbol')).toBeNull();
    expect(page.changes()).toEqual([]);
  });

  test('that is not on the list offers to add it', async () => {
    await page.open('/watchlist?symbol=CBA');
    await screen.findByText('CBA is not on your watchlist.');
    expect(page.changes()).toEqual([]);
    await press('Add CBA');
    await screen.findByRole('region', { name: 'Alerts on CBA' });
    expect(symbolsIn('Trading')).toEqual(['CBA']);
  });

  test('for a new alert adds the symbol, opens its row and starts the alert', async () => {
    await page.open();
    act(() => requestAlert('BHP'));
    await screen.findByRole('region', { name: 'Alerts on BHP' });
    await screen.findByRole('listitem', { name: 'New alert' });
    expect(page.changes()).toEqual(['POST /api/watchlist']);
  });

  test('for an existing alert shows it in full', async () => {
    page.watch('BHP');
    page.alert('BHP', 50, 'First');
    const { id } = page.alert('BHP', 60, 'Second');
    await page.open();
    act(() => requestAlert('BHP', id));
    const second = await screen.findByRole('button', { name: /^Second/ });
    await waitFor(() => expect(second.getAttribute('aria-expanded')).toBe('true'));
    expect(screen.getByRole('button', { name: /^First/ }).getAttribute('aria-expanded')).toBe('false');
  });
});

describe('several lists, notes and targets', () => {
  beforeEach(() => page.watch('BHP', 'CBA'));

  const lists = () =>
    within(screen.getByRole('group', { name: 'Lists' }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
      .filter(Boolean);
  const symbols = () => [...symbolsIn('Trading'), ...symbolsIn('Pre-open')].sort();

  async function addList(name: string): Promise<void> {
    await press('New list');
    await userEvent.type(await screen.findByLabelText('Name'), `${name}{Enter}`);
    await screen.findByRole('button', { name: `Options of ${name}` });
  }

  test('shows a new list and adds symbols to it, by w too', async () => {
    await page.open();
    await addList('Miners');
    await waitFor(() => expect(symbols()).toEqual([]));
    await addToWatchlist('XRO');
    await waitFor(() => expect(lists()).toEqual(['My list 2', 'Miners 1']));
    await waitFor(() => expect(symbols()).toEqual(['XRO']));
    await press('My list 2');
    await waitFor(() => expect(symbols()).toEqual(['BHP', 'CBA']));
  });

  test('moves, renames and deletes a list, and names first what a deletion removes', async () => {
    page.alert('BHP', 50);
    await page.open();
    await addList('Miners');
    await press('My list 2');
    await screen.findByRole('button', { name: 'Options of My list' });
    await press('Options of My list');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Move right' }));
    await waitFor(() => expect(lists()).toEqual(['Miners 0', 'My list 2']));
    await press('Options of My list');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename…' }));
    const box = await screen.findByLabelText('Name');
    await userEvent.clear(box);
    await userEvent.type(box, 'Banks{Enter}');
    await waitFor(() => expect(lists()).toEqual(['Miners 0', 'Banks 2']));
    await press('Options of Banks');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete…' }));
    await screen.findByText(
      'Also deletes its 2 symbols with notes and targets, and 1 alert on BHP (on no other list).',
    );
    await press('Delete list');
    await waitFor(() => expect(lists()).toEqual(['Miners 0']));
    expect(page.alerts()).toEqual([]);
  });

  test('an invalid target keeps the saved one, stays in the box, and does not block the note', async () => {
    await page.open();
    await openRow('BHP');
    const fields = within(screen.getByRole('group', { name: 'Note and target of BHP' }));
    const target = () => fields.getByLabelText<HTMLInputElement>('Target');
    await userEvent.type(target(), '44{Enter}');
    await waitFor(() => expect(document.querySelector('[data-id="BHP"]')?.textContent).toContain('+10.0%'));
    await userEvent.clear(target());
    await userEvent.type(target(), '45,5');
    await userEvent.type(fields.getByLabelText('Note'), 'Results{Enter}');
    await waitFor(() => expect(document.querySelector('[data-id="BHP"]')?.textContent).toContain('Results'));
    expect(document.querySelector('[data-id="BHP"]')?.textContent).toContain('+10.0%');
    expect(target().value).toBe('45,5');
    fields.getByText('“45,5” is not a number. Write decimals with a point: 1.25.');
  });
});

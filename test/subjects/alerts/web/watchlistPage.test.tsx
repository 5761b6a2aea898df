import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { watchColumns } from '../../../../src/subjects/alerts/web/watchlist/columns.tsx';
import { publishAlert } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { requestAlert } from '../../../../src/subjects/alerts/web/shared/showAlert.ts';
import { routeQuery } from '../../../../web/router/navigate.ts';
import { findings } from '../../../support/axe.ts';
import {
  box,
  cellsOf,
  openRow,
  openWatchlist,
  press,
  rowOf,
  shown,
  symbolsIn,
  table,
  type WatchlistScreen,
} from '../../../support/watchlistScreen.tsx';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
});
afterEach(() => page.close());

const alertText = () => screen.getByRole('alert').textContent;
const headings = (name: 'Pre-open' | 'Trading') =>
  [...table(name).querySelectorAll('.table-sort-label')].map((label) => label.textContent);

describe('the tables', () => {
  test('have their columns, and say when they have no rows', async () => {
    await page.open();
    expect(headings('Pre-open')).toEqual(['Symbol', 'Alerts', 'Match', 'P. Close', 'Match Value']);
    expect(headings('Trading')).toEqual(['Symbol', 'Alerts', 'Change', 'Last', 'P. Close', 'Rel Vol', 'Day']);
    expect(screen.getByText('No pre-open symbols')).toBeTruthy();
    expect(screen.getByText('No trading symbols')).toBeTruthy();
  });

  test('each symbol stands in the one that fits its status, with its figures', async () => {
    page.watch('XRO', 'CBA', 'BHP');
    page.alert('BHP', 50);
    await page.open();
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['BHP', 'CBA']));
    expect(symbolsIn('Pre-open')).toEqual(['XRO']);
    expect(cellsOf('XRO').slice(2, 6)).toEqual(['0', '121.500', '120.000', '121,500']);
    expect(cellsOf('BHP').slice(2, 6)).toEqual(['1', '+2.6%', '40.000', '39.000']);
    expect(page.watched()).toMatchObject({ all: false, codes: ['BHP', 'CBA', 'XRO'] });
  });

  test('a symbol moves to the other one as it opens, and its prices move', async () => {
    page.watch('XRO', 'BHP');
    await page.open();
    await waitFor(() => expect(symbolsIn('Pre-open')).toEqual(['XRO']));
    await shown(() => page.quote({ code: 'XRO', status: 'Open', open: 122, last: 122, volume: 5000 }));
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['BHP', 'XRO']));
    expect(screen.getByText('No pre-open symbols')).toBeTruthy();
    expect(cellsOf('XRO')[4]).toBe('122.000');
  });

  test('a symbol whose alert is being edited stays where it is until that is left', async () => {
    page.watch('XRO');
    await page.open();
    const panel = await openRow('XRO');
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

  test('prices and what the auction would trade flash, counts and ratios do not', () => {
    const given = {
      isNarrow: false,
      quoteLink: 'none',
      today: '2026-11-20',
      hasTargets: true,
      hasNotes: true,
      hasUntilOpen: false,
      onRemove: () => {},
    } as const;
    const flashing = (table: 'preOpen' | 'trading') =>
      watchColumns({ table, ...given }).flatMap(({ label, flashes }) => (flashes ? [label] : []));
    expect(flashing('preOpen')).toEqual(['Match', 'P. Close', 'Match Value']);
    expect(flashing('trading')).toEqual(['Change', 'Last', 'P. Close']);
  });

  test('one that is not listed any more stands with dashes, says so, and can be removed', async () => {
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

  test('a halted one says so', async () => {
    page.watch('BHP');
    await page.open();
    await shown(() => page.quote({ code: 'BHP', status: 'Halted' }));
    await waitFor(() => expect(rowOf('BHP').textContent).toContain('Halted'));
  });

  test('sort by a click on a heading, and remember it', async () => {
    page.watch('CBA', 'BHP');
    await page.open();
    await userEvent.click(table('Trading').querySelectorAll('.table-sort')[3] as HTMLElement);
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['CBA', 'BHP']));
    expect(localStorage.getItem('bellbird.watchlist')).toContain('"last","desc":true');
  });

  test('the keys of the scanners move, open and close rows; / goes to the box', async () => {
    page.watch('CBA', 'BHP');
    await page.open();
    await userEvent.keyboard('jj');
    expect(document.activeElement).toBe(rowOf('CBA'));
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('region', { name: 'Alerts on CBA' });
    const name = await screen.findByLabelText('Name (optional)');
    await userEvent.type(name, 'jk');
    expect((name as HTMLInputElement).value).toBe('jk');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('region', { name: 'Alerts on CBA' }) === null).toBe(true);
    expect(document.activeElement).toBe(rowOf('CBA'));
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(box());
  });
});

describe('the list', () => {
  test('that can not be loaded says so, and is loaded again', async () => {
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

  test('shows rows to come until it is there', async () => {
    const answer = Promise.withResolvers<void>();
    const { fetch } = globalThis;
    globalThis.fetch = Object.assign(
      async (...given: Parameters<typeof fetch>) => {
        await answer.promise;
        return fetch(...given);
      },
      { preconnect: fetch.preconnect },
    );
    const opened = page.open();
    expect(document.querySelectorAll('table[aria-busy="true"]').length).toBe(2);
    expect(screen.queryByText('No trading symbols') === null).toBe(true);
    answer.resolve();
    await opened;
    expect(screen.getByText('No trading symbols')).toBeTruthy();
    globalThis.fetch = fetch;
  });

  test('is read again when another window changed it', async () => {
    await page.open();
    page.watch('CBA');
    act(() => publishAlert({ type: 'changed', alertId: null, symbol: 'CBA' }));
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['CBA']));
  });
});

describe('adding a symbol', () => {
  test('by its code and Enter, in any case; the box is empty again and keeps the focus', async () => {
    await page.open();
    await userEvent.type(box(), 'bhp{Enter}');
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['BHP']));
    expect(box().value).toBe('');
    expect(document.activeElement).toBe(box());
    expect(page.changes()).toEqual(['POST /api/watchlist']);
  });

  test('while the list is still being loaded leaves the others on it', async () => {
    page.watch('CBA');
    const late = Promise.withResolvers<void>();
    page.fail(({ method, url }) =>
      method === 'GET' && url.endsWith('/watchlist') ? late.promise.then(() => null) : null,
    );
    const opened = page.open();
    await userEvent.type(box(), 'bhp{Enter}');
    await waitFor(() => expect(page.changes()).toEqual(['POST /api/watchlist']));
    page.fail(null);
    late.resolve();
    await opened;
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['BHP', 'CBA']));
  });

  test('from the list, which completes from two characters and watches the whole market meanwhile', async () => {
    await page.open();
    await userEvent.type(box(), 'c');
    expect(screen.queryByRole('listbox') === null).toBe(true);
    expect(page.watched()).toMatchObject({ all: true });
    await userEvent.type(box(), 'b');
    await userEvent.click(await screen.findByRole('option', { name: /CBA/ }));
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['CBA']));
  });

  test('the whole market is watched no longer once the box has emptied itself', async () => {
    await page.open();
    await userEvent.type(box(), 'ZZ');
    expect(page.watched()).toMatchObject({ all: true });
    await userEvent.tab();
    await userEvent.tab();
    await waitFor(() => expect(box().value).toBe(''));
    await waitFor(() => expect(page.watched()).toMatchObject({ all: false }));
  });

  test('leaving the box with a code adds nothing', async () => {
    await page.open();
    await userEvent.type(box(), 'CBA');
    await userEvent.tab();
    await userEvent.tab();
    expect(page.changes()).toEqual([]);
    expect(box().value).toBe('CBA');
  });

  test('that is not in the list is refused, in a banner that can be dismissed', async () => {
    await page.open();
    await userEvent.type(box(), 'QQQ');
    await press('Add');
    await waitFor(() => expect(alertText()).toContain('Select a symbol from the live list'));
    expect(box().getAttribute('aria-invalid')).toBe('true');
    await press('Dismiss');
    expect(screen.queryByRole('alert') === null).toBe(true);
    expect(symbolsIn('Trading')).toEqual([]);
  });

  test('fails with the server’s sentence, else with its own', async () => {
    await page.open();
    let body: object = { error: 'Your watchlist has 100 symbols already.' };
    page.fail(({ method }) => (method === 'POST' ? Response.json(body, { status: 400 }) : null));
    await userEvent.type(box(), 'BHP{Enter}');
    await waitFor(() => expect(alertText()).toContain('Your watchlist has 100 symbols already.'));
    expect(box().value).toBe('BHP');
    body = {};
    await press('Add');
    await waitFor(() => expect(alertText()).toContain('Failed to add'));
  });

  test('that is there already opens its row', async () => {
    page.watch('BHP');
    await page.open();
    await userEvent.type(box(), 'BHP{Enter}');
    await screen.findByRole('region', { name: 'Alerts on BHP' });
    expect(page.changes()).toEqual([]);
  });
});

test('without a market the list of symbols is unavailable', async () => {
  page.close();
  page = await openWatchlist({ hasMarket: false });
  await page.open();
  await userEvent.type(box(), 'BHP');
  await press('Add');
  await waitFor(() => expect(alertText()).toContain('Live symbol list unavailable. Try again shortly.'));
  expect(page.changes()).toEqual([]);
  expect(box().value).toBe('BHP');
});

test('with a stream that is dead nothing is added, although the server has a market', async () => {
  page.close();
  page = await openWatchlist({ hasStream: false });
  await page.open();
  await userEvent.type(box(), 'BHP');
  await press('Add');
  await waitFor(() => expect(alertText()).toContain('Live symbol list unavailable. Try again shortly.'));
  expect(page.changes()).toEqual([]);
});

describe('removing', () => {
  test('a symbol without alerts goes at once', async () => {
    page.watch('BHP', 'CBA');
    await page.open();
    await press('Remove BHP');
    await waitFor(() => expect(symbolsIn('Trading')).toEqual(['CBA']));
  });

  test('one with alerts asks first, and takes them with it', async () => {
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

  test('that fails says so, and the row stays', async () => {
    page.watch('BHP');
    await page.open();
    page.fail(({ method }) => (method === 'DELETE' ? Response.json({}, { status: 500 }) : null));
    await press('Remove BHP');
    await waitFor(() => expect(alertText()).toContain('Failed to remove'));
    expect(symbolsIn('Trading')).toEqual(['BHP']);
    expect(screen.getByRole('button', { name: 'Remove BHP' })).toHaveProperty('disabled', false);
  });
});

describe('what leads here', () => {
  test('a link with a symbol opens its row, once', async () => {
    page.watch('BHP', 'CBA');
    await page.open('/watchlist?symbol=bhp');
    await screen.findByRole('region', { name: 'Alerts on BHP' });
    expect(document.activeElement).toBe(rowOf('BHP'));
    expect(routeQuery.value.get('symbol')).toBeNull();
    expect(page.changes()).toEqual([]);
  });

  test('one that is not on the list is offered, not added', async () => {
    await page.open('/watchlist?symbol=CBA');
    await screen.findByText('CBA is not on your watchlist.');
    expect(page.changes()).toEqual([]);
    await press('Add CBA');
    await screen.findByRole('region', { name: 'Alerts on CBA' });
    expect(symbolsIn('Trading')).toEqual(['CBA']);
  });

  test('a requested alert adds the symbol, opens its row and begins the alert', async () => {
    await page.open();
    act(() => requestAlert('BHP'));
    await screen.findByRole('region', { name: 'Alerts on BHP' });
    await screen.findByRole('listitem', { name: 'New alert' });
    expect(page.changes()).toEqual(['POST /api/watchlist']);
  });

  test('a requested alert that exists is shown in full', async () => {
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

test('axe finds nothing, closed and open', async () => {
  page.watch('BHP', 'XRO');
  page.alert('BHP', 50);
  await page.open();
  expect(await findings(document.body)).toEqual([]);
  await openRow('BHP');
  expect(await findings(document.body)).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { currentHash } from '../../../../web/router/navigate.ts';
import { serverNow } from '../../../../web/live/market.ts';
import { publishAlert } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { lines, openTab, rows, rowWith, showTab } from '../../../support/alertLists.tsx';
import { findings } from '../../../support/axe.ts';
import { openWatchlist, type WatchlistScreen } from '../../../support/watchlistScreen.tsx';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
});
afterEach(() => page.close());

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const boxOf = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const isOn = () => page.alerts().map(({ symbol, active }) => `${symbol} ${active}`);
const scanAlerts = () => page.app.parts.scanAlerts.service;
const addScanAlert = () =>
  scanAlerts().create(page.userId, { name: 'Movers', scan: { type: 'scanner', key: 'intraDayMidLarge' } });

describe('the tabs', () => {
  test('have addresses of their own, and are gone through by the arrows', async () => {
    await openTab('All alerts');
    const tab = (name: string) => screen.getByRole('tab', { name });
    expect(tab('All alerts').getAttribute('aria-selected')).toBe('true');
    expect(screen.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe(tab('All alerts').id);
    act(() => tab('All alerts').focus());
    await userEvent.keyboard('{ArrowRight}');
    await screen.findByRole('region', { name: 'Review of your alerts' });
    await userEvent.keyboard('{ArrowRight}');
    await screen.findByRole('grid', { name: 'Triggers' });
    expect(currentHash.value).toBe('#/watchlist/triggers');
    expect(document.activeElement).toBe(tab('Triggers'));
    await userEvent.keyboard('{ArrowRight}');
    await screen.findByRole('grid', { name: 'Trading' });
    expect(currentHash.value).toBe('#/watchlist');
    expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1]);
  });
});

describe('all alerts', () => {
  test('stand in one table, those on stocks and on scans, and answer to a search', async () => {
    page.alert('BHP', 50, 'Breakout');
    page.alert('CBA', 200);
    addScanAlert();
    await openTab('All alerts');
    expect(lines()).toEqual([
      '|BHP BHP LIMITED|Breakout|Last above 50|Active|No|Browser only|Never|Never|',
      '|CBA CBA LIMITED||Last above 200|Active|No|Browser only|Never|Never|',
      '|Intra-Day ≥ $1 Scan|Movers|Any stock enters Intra-Day ≥ $1 Scan|Active|Each stock|Browser only|Never|Never|',
    ]);
    const box = screen.getByRole('searchbox', { name: 'Search alerts' });
    for (const [typed, found] of [
      ['breakO', 'Breakout'],
      ['above 200', 'CBA'],
      ['movers', 'Movers'],
    ] as const) {
      await userEvent.clear(box);
      await userEvent.type(box, typed);
      expect(rows().length).toBe(1);
      expect(lines()[0]).toContain(found);
    }
    await userEvent.type(box, 'x');
    expect(screen.getByText('No alert answers to “moversx”.')).toBeTruthy();
    expect(await findings(document.body)).toEqual([]);
  });

  test('say that there are none, and that they could not be loaded', async () => {
    page.fail(({ url }) => (url.endsWith('/api/alerts') ? Response.json({}, { status: 500 }) : null));
    showTab('All alerts');
    await screen.findByText('Failed to load alerts');
    page.fail(null);
    await press('Retry');
    await screen.findByText('No alerts yet. Open a symbol on My list to add one.');
  });

  test('are selected by Shift in the order that is shown, and switched at once, before the server answers', async () => {
    page.alert('BHP', 50, 'Breakout');
    page.alert('CBA', 200);
    page.alert('XRO', 200);
    await openTab('All alerts');
    await userEvent.click(boxOf('Select BHP Breakout'));
    const user = userEvent.setup();
    await user.keyboard('{Shift>}');
    await user.click(boxOf('Select CBA'));
    await user.keyboard('{/Shift}');
    expect(screen.getByText('2 of 3 alerts selected')).toBeTruthy();
    const held = Promise.withResolvers<void>();
    page.fail(({ method }) => (method === 'PATCH' ? held.promise.then(() => null) : null));
    await press('Switch off');
    await waitFor(() => expect(lines().map((line) => line.split('|')[4])).toEqual(['Off', 'Off', 'Active']));
    expect(isOn()).toEqual(['BHP true', 'CBA true', 'XRO true']);
    held.resolve();
    await screen.findByText('2 alerts switched off.');
    expect(isOn()).toEqual(['BHP false', 'CBA false', 'XRO true']);
  });

  test('say truly with which it could not be done and why, and show those as they are', async () => {
    page.alert('BHP', 50, 'Breakout');
    const { id } = page.alert('CBA', 200);
    await openTab('All alerts');
    page.fail(({ method, url }) =>
      method === 'PATCH' && url.endsWith(`/${id}`) ? Response.json({}, { status: 500 }) : null,
    );
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await press('Switch off');
    await screen.findByText('1 of 2 switched off. 1 could not be: CBA: Failed to toggle active.');
    expect(lines().map((line) => line.split('|')[4])).toEqual(['Off', 'Active']);
  });

  test('end at the first refusal for coming too often: the others are not tried', async () => {
    for (const above of [50, 60, 70, 80, 90, 100]) page.alert('BHP', above);
    await openTab('All alerts');
    const late = 'You change your alerts too often. Try again in 20 seconds.';
    let asked = 0;
    page.fail(({ method }) => {
      if (method !== 'PATCH') return null;
      asked += 1;
      return Response.json({ error: late }, { status: 429 });
    });
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await press('Switch off');
    await screen.findByText(`None of 6 switched off. 6 could not be: BHP, BHP, BHP and 3 more: ${late}`);
    expect(asked).toBe(4);
  });

  test('are switched on top of a change that came first, and refused where another comes first again', async () => {
    const { id } = page.alert('BHP', 50);
    await openTab('All alerts');
    const versions: unknown[] = [];
    const theirs = { ...page.app.parts.alerts.service.listViews(page.userId)[0], version: 7 };
    const error = 'This alert was changed meanwhile, in another window or by a chat.';
    let conflicts = 1;
    page.fail(async (request) => {
      if (request.method !== 'PATCH') return null;
      versions.push(((await request.clone().json()) as { version?: number }).version);
      if (conflicts === 0) return Response.json({ ...theirs, active: false });
      conflicts -= 1;
      return Response.json({ error, alert: theirs }, { status: 409 });
    });
    await userEvent.click(boxOf('Select BHP'));
    await press('Switch off');
    await screen.findByText('1 alert switched off.');
    expect(versions).toEqual([undefined, 7]);
    conflicts = 2;
    await press('Switch off');
    await screen.findByText(`None of 1 switched off. 1 could not be: BHP: ${error}`);
    expect(page.alerts().map((alert) => alert.id)).toEqual([id]);
  });

  test('are snoozed for an hour, but those that are off; alerts on scans too', async () => {
    page.alert('BHP', 50);
    const { id } = page.alert('CBA', 200);
    page.app.parts.alerts.service.setActive(page.userId, id, false);
    const scan = addScanAlert();
    await openTab('All alerts');
    // The page goes by the server's clock as the stream tells it.
    page.app.clock.advance(serverNow() - page.app.clock.now());
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await press('Snooze 1 h');
    await screen.findByText('2 of 3 snoozed for an hour. 1 could not be: CBA: It is off.');
    const [bhp] = page.alerts();
    expect(bhp?.snoozedUntil).not.toBeNull();
    expect(scanAlerts().get(page.userId, scan.id)?.snoozedUntil).not.toBeNull();
    expect(lines()[0]).toContain('Snoozed until ');
  });

  test('are deleted after a question that says how many and names the first; what is gone already is no failure', async () => {
    const [first] = [40, 50, 60, 70].map((above) => page.alert('CBA', above + 200, `At ${above}`));
    page.alert('BHP', 50, 'Breakout');
    await openTab('All alerts');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await userEvent.click(boxOf('Select BHP Breakout'));
    await press('Delete…');
    const dialog = await screen.findByRole('dialog', { name: 'Delete 4 alerts?' });
    expect(dialog.textContent).toContain('CBA At 40, CBA At 50, CBA At 60 and 1 more.');
    page.app.parts.alerts.service.remove(page.userId, first?.id ?? 0);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete 4 alerts' }));
    await screen.findByText('4 alerts deleted.');
    expect(page.alerts().map(({ symbol }) => symbol)).toEqual(['BHP']);
    expect(rows().length).toBe(1);
  });

  test('that are already true as they are switched on can be taken back', async () => {
    const { id } = page.alert('BHP', 50, 'Breakout');
    page.app.parts.alerts.service.setActive(page.userId, id, false);
    page.quote({ code: 'BHP', last: 60 });
    await openTab('All alerts');
    await userEvent.click(boxOf('Select BHP Breakout'));
    await press('Switch on');
    page.app.tick.run();
    act(() => publishAlert({ type: 'changed', alertId: id, symbol: 'BHP' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(isOn()).toEqual(['BHP false']));
  });

  test('lead to their editors by Enter, and are selected by the space bar', async () => {
    const { id } = page.alert('BHP', 50, 'Breakout');
    page.alert('CBA', 200);
    addScanAlert();
    await openTab('All alerts');
    act(() => rowWith('BHP').focus());
    await userEvent.keyboard(' ');
    expect(boxOf('Select BHP Breakout').checked).toBe(true);
    await userEvent.keyboard('{Control>}a{/Control}');
    expect(screen.getByText('3 of 3 alerts selected')).toBeTruthy();
    await userEvent.click(rowWith('Movers').querySelectorAll('td')[1] as HTMLElement);
    const dialog = await screen.findByRole('dialog', { name: 'Alert on a scan' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    act(() => rowWith('BHP').focus());
    await userEvent.keyboard('{Enter}');
    const name = await screen.findByLabelText<HTMLInputElement>('Name (optional)');
    expect(name.value).toBe('Breakout');
    expect(currentHash.value).toBe('#/watchlist');
    expect(page.alerts()[0]?.id).toBe(id);
  });
});

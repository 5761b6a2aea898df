import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { WatchlistPage } from '#subjects/alerts/web/watchlist/WatchlistPage.tsx';
import { currentHash, goTo } from '#web/router/navigate.ts';
import { findings } from '#support/axe.ts';
import { alerts, linkedChats } from '#src/tables/alertSchema.ts';
import { publishAlert } from '#subjects/alerts/web/shared/alertStream.ts';
import { openWatchlist, type WatchlistScreen } from '#support/watchlistScreen.tsx';
import { readerOf } from '#web/api/readerOf.ts';
import { triggerPage } from '#subjects/alerts/answers/triggers.ts';
import {
  type TriggerPage,
  withNewest,
  withOlder,
} from '#subjects/alerts/web/watchlist/triggers/Triggers.tsx';
import { storeTrigger } from '#support/aTrigger.ts';

// Loaded ahead: no test waits for code.
await Promise.all([
  import('#subjects/alerts/web/watchlist/allAlerts/AllAlerts.tsx'),
  import('#subjects/alerts/web/watchlist/allAlerts/GroupDialog.tsx'),
  import('#subjects/alerts/web/watchlist/review/Review.tsx'),
  import('#subjects/alerts/web/watchlist/triggers/Triggers.tsx'),
  import('#subjects/alerts/web/shared/scanAlerts/ScanAlertDialog.tsx'),
]);

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
});
afterEach(() => page.close());

const TABS = { 'All alerts': 'alerts', Review: 'review', Triggers: 'triggers' };
function showTab(list: keyof typeof TABS): void {
  goTo(`/watchlist/${TABS[list]}`);
  render(<WatchlistPage />);
}
/** Shows a tab, and waits for what it lists. */
async function openTab(list: 'All alerts' | 'Triggers'): Promise<void> {
  showTab(list);
  await screen.findByRole('grid', { name: list });
  await waitFor(() => expect(document.querySelector('table[aria-busy="true"]') === null).toBe(true));
}
const rows = () => [...document.querySelectorAll<HTMLElement>('tr[data-id]')];
/** The cells of each row, from the top. */
const lines = () => rows().map(({ children }) => [...children].map((one) => one.textContent ?? '').join('|'));
const rowWith = (text: string): HTMLElement => {
  const row = rows().find(({ textContent }) => textContent?.includes(text));
  if (!row) throw new Error(`No row says ${text}.`);
  return row;
};
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const boxOf = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const isOn = () => page.alerts().map(({ symbol, active }) => `${symbol} ${active}`);
const scanAlerts = () => page.app.parts.scanAlerts.service;
const addScanAlert = () =>
  scanAlerts().create(page.userId, { name: 'Movers', scan: { type: 'scanner', key: 'intraDayMidLarge' } });

test('the tabs have addresses of their own, and are gone through by the arrows', async () => {
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

describe('all alerts', () => {
  test('say that there are none, and that they could not be loaded', async () => {
    page.fail(({ url }) => (url.endsWith('/api/alerts') ? Response.json({}, { status: 500 }) : null));
    showTab('All alerts');
    await screen.findByText('Failed to load alerts');
    page.fail(null);
    await press('Retry');
    await screen.findByText('No alerts yet. Open a symbol on My list to add one.');
  });

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

const groups = () => page.alerts().map(({ symbol, group }) => `${symbol} ${group}`);
async function file(group: string, button: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: 'Group…' }));
  const box = await screen.findByLabelText('Group (empty for none)');
  if (group !== '') await userEvent.type(box, group);
  await userEvent.click(screen.getByRole('button', { name: button }));
}

test('groups of alerts are chosen for many at once, shown one at a time, found by the search, and taken away', async () => {
  page.alert('BHP', 50);
  page.alert('CBA', 200);
  page.alert('XRO', 200);
  await openTab('All alerts');
  expect(screen.queryByLabelText('Group')).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select BHP' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select XRO' }));
  await file(' Long term ', 'File under Long term');
  await screen.findByText('2 alerts filed.');
  expect(groups()).toEqual(['BHP Long term', 'CBA null', 'XRO Long term']);
  await userEvent.selectOptions(await screen.findByLabelText('Group'), 'Without a group');
  expect(lines().map((line) => line.slice(0, 4))).toEqual(['|CBA']);
  await userEvent.selectOptions(screen.getByLabelText('Group'), 'Long term');
  expect(rows()).toHaveLength(2);
  await file('', 'Take out of groups');
  await waitFor(() => expect(groups()).toEqual(['BHP null', 'CBA null', 'XRO null']));
  // Of a group that is gone all are shown.
  await waitFor(() => expect(rows()).toHaveLength(3));
});

test('all triggers are loaded page after page', async () => {
  const { id } = page.alert('BHP', 50);
  for (let minute = 1; minute <= 60; minute += 1)
    storeTrigger(page.app.db, { alertId: id, triggeredAt: minute * 60_000 });
  await openTab('Triggers');
  await screen.findByText('Newest 50 shown');
  page.fail(({ url }) => (url.includes('before=') ? Response.json({}, { status: 500 }) : null));
  await press('Load more');
  await screen.findByText(/^Failed to load triggers/);
  page.fail(null);
  await press('Load more');
  await screen.findByText('60 triggers');
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  expect(screen.queryByText(/^Failed to load triggers/)).toBeNull();
});

const readPage = readerOf(triggerPage);
const pageOf = (ids: readonly number[], next: string | null): TriggerPage =>
  readPage({
    triggers: ids.map((id) => ({
      id,
      alertId: 1,
      kind: 'alert',
      symbol: 'BHP',
      timestamp: '2026-11-18T01:00:00Z',
    })),
    next,
  });
const idsOf = ({ triggers }: TriggerPage): number[] => triggers.map(({ id }) => id);

describe('the list of triggers whose newest page is read again', () => {
  const list = withOlder(pageOf([9, 8, 7], 'at 7'), pageOf([6, 5], 'at 5'));

  test('has what came on top, and keeps what was loaded below', () => {
    const now = withNewest(list, pageOf([10, 9, 8], 'at 8'));
    expect(idsOf(now)).toEqual([10, 9, 8, 7, 6, 5]);
    expect(now.next).toBe('at 5');
  });

  test('loses what is gone from the top', () => {
    expect(idsOf(withNewest(list, pageOf([9, 7, 6], 'at 6')))).toEqual([9, 7, 6, 5]);
  });

  test('begins anew where so many came that what is in between is not known, and where that is all there is', () => {
    expect(withNewest(list, pageOf([30, 29, 28], 'at 28'))).toEqual(pageOf([30, 29, 28], 'at 28'));
    expect(withNewest(list, pageOf([9, 8], null))).toEqual(pageOf([9, 8], null));
    expect(withNewest(null, pageOf([9], 'at 9'))).toEqual(pageOf([9], 'at 9'));
    expect(withNewest(list, pageOf([6, 5], 'at 5'))).toEqual(pageOf([6, 5], 'at 5'));
  });
});

/** Alerts of so long ago, of which none ever fired. */
function silent(...symbols: string[]): void {
  symbols.forEach((symbol, index) => page.alert(symbol, 900 + index));
  const at = page.app.clock.now() - 40 * 24 * 3_600_000;
  page.app.db.update(alerts).set({ createdAt: at, updatedAt: at }).run();
}
async function showReview(): Promise<void> {
  showTab('Review');
  await screen.findByRole('region', { name: 'Review of your alerts' });
}
const titles = () => [...document.querySelectorAll('.finding-title')].map(({ textContent }) => textContent);

describe('the review of alerts', () => {
  test('counts on its tab, and a press acts at once and can be taken back', async () => {
    silent('BHP', 'CBA');
    await showReview();
    await screen.findByRole('tab', { name: 'Review 2 to look at' });
    expect(titles()).toEqual(['BHP', 'CBA']);
    expect(screen.getByRole('heading', { name: 'Never fires 2' })).toBeTruthy();
    expect(await findings(document.body)).toEqual([]);
    await press('Pause BHP');
    await screen.findByText('Paused: BHP.');
    expect(isOn()).toEqual(['BHP false', 'CBA true']);
    expect(titles()).toEqual(['CBA']);
    await press('Undo');
    await waitFor(() => expect(isOn()).toEqual(['BHP true', 'CBA true']));
    await press('Keep it CBA');
    await screen.findByText('Kept for 90 days: CBA.');
    await press('Undo');
    await waitFor(() => expect(titles()).toContain('CBA'));
  });

  test('a chat that takes nothing is named on the other tabs too, until that is kept', async () => {
    page.alert('BHP', 900);
    const { db, clock } = page.app;
    const now = clock.now();
    const chat = { platform: 'telegram', chatId: '4711', createdAt: now, confirmedAt: now } as const;
    const broken = { brokenAt: now, brokenReason: 'The bot was blocked.' };
    db.insert(linkedChats)
      .values({ userId: 1, ...chat, ...broken })
      .run();
    db.update(alerts).set({ telegram: true }).run();
    goTo('/watchlist');
    render(<WatchlistPage />);
    const told = 'Your Telegram chat can’t be delivered to: The bot was blocked. One alert is sent there.';
    await screen.findByText(told);
    expect(screen.getByRole('link', { name: 'Open Settings' }).getAttribute('href')).toBe('#/settings');
    expect(await findings(document.body)).toEqual([]);
    act(() => goTo('/watchlist/review'));
    await press(/^Keep it/);
    await screen.findByText(/^Kept for 90 days/);
    act(() => goTo('/watchlist/alerts'));
    await screen.findByRole('region', { name: 'All alerts' });
    await waitFor(() => expect(screen.queryByText(told)).toBeNull());
  });

  test('keeps the focus in the list as it is worked by keyboard', async () => {
    silent('BHP', 'CBA');
    await showReview();
    const focused = () => document.activeElement?.getAttribute('aria-label');
    (await screen.findByRole('button', { name: 'Keep it BHP' })).focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByText('Kept for 90 days: BHP.');
    await waitFor(() => expect(focused()).toBe('Select CBA'));
    screen.getByRole('button', { name: 'Keep it CBA' }).focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByText('Kept for 90 days: CBA.');
    await waitFor(() => expect(focused()).toBe('Review of your alerts'));
  });

  test('asks before it deletes, with many at once', async () => {
    silent('BHP', 'CBA', 'XRO');
    await showReview();
    await screen.findByText('3 to look at');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select BHP' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select XRO' }));
    const many = within(screen.getByRole('group', { name: 'Selected findings' }));
    expect(many.getByText('2 of 3 selected')).toBeTruthy();
    await userEvent.click(many.getByRole('button', { name: 'Delete…' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete 2 alerts' }));
    await screen.findByText('Deleted: BHP and 1 more.');
    expect(isOn()).toEqual(['CBA true']);
  });

  test('a failure is said and loaded again; what was shown stays', async () => {
    silent('BHP');
    const fail = ({ url }: { url: string }) =>
      url.endsWith('/api/alerts/review') ? Response.json({}, { status: 500 }) : null;
    page.fail(fail);
    await showReview();
    await screen.findByText('Failed to review your alerts');
    page.fail(null);
    await press('Retry');
    await waitFor(() => expect(titles()).toEqual(['BHP']));
    page.fail(fail);
    act(() => publishAlert({ type: 'changed', alertId: 1, symbol: 'BHP' }));
    await screen.findByText(/Shown is the review as it was loaded before/, {}, { timeout: 5000 });
    expect(titles()).toEqual(['BHP']);
    await press('Pause BHP');
    await screen.findByText('Failed to change your alerts');
    expect(isOn()).toEqual(['BHP true']);
  });
});

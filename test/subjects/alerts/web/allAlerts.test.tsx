import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'bun:test';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { WatchlistPage } from '#subjects/alerts/web/watchlist/WatchlistPage.tsx';
import { currentHash, goTo } from '#web/router/navigate.ts';
import { results } from '#support/axe.ts';
import { eq } from 'drizzle-orm';
import { alerts, linkedChats, reviewChoices } from '#src/tables/alertSchema.ts';
import { openWatchlist } from '#support/watchlistScreen.tsx';
import { readerOf } from '#web/api/client.ts';
import { triggerPage } from '#subjects/alerts/answers/alert.ts';
import { type TriggerPage, withNewest, withOlder } from '#subjects/alerts/web/watchlist/Triggers.tsx';
import { storeTrigger } from '#support/aTrigger.ts';
import { eachTest } from '#support/eachTest.ts';

// Loaded ahead so that no test waits for code.
await Promise.all([
  import('#subjects/alerts/web/watchlist/allAlerts/AllAlerts.tsx'),
  import('#subjects/alerts/web/watchlist/allAlerts/GroupDialog.tsx'),
  import('#subjects/alerts/web/watchlist/Triggers.tsx'),
  import('#subjects/alerts/web/shared/ScanAlertDialog.tsx'),
]);

const page = eachTest(() => openWatchlist());

const TABS = { 'All alerts': 'alerts', Triggers: 'triggers' };
function showTab(list: keyof typeof TABS): void {
  goTo(`/watchlist/${TABS[list]}`);
  render(<WatchlistPage />);
}
/** Opens a tab and waits for its list. */
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
const scanAlerts = () => page.app.parts.alerts.service.scanAlerts;
const addScanAlert = () =>
  scanAlerts().create(page.userId, { name: 'Movers', scan: { type: 'scanner', key: 'intraDayMidLarge' } });

test('the tabs have their own addresses and are reached by the arrow keys', async () => {
  await openTab('All alerts');
  const tab = (name: string) => screen.getByRole('tab', { name });
  expect(tab('All alerts').getAttribute('aria-selected')).toBe('true');
  expect(screen.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe(tab('All alerts').id);
  act(() => tab('All alerts').focus());
  await userEvent.keyboard('{ArrowRight}');
  await screen.findByRole('grid', { name: 'Triggers' });
  expect(currentHash.value).toBe('#/watchlist/triggers');
  expect(document.activeElement).toBe(tab('Triggers'));
  await userEvent.keyboard('{ArrowRight}');
  await screen.findByText('No trading symbols');
  expect(currentHash.value).toBe('#/watchlist');
  expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1]);
});

describe('all alerts', () => {
  test('shows an empty state and a failed load', async () => {
    page.fail(({ url }) => (url.endsWith('/api/alerts') ? Response.json({}, { status: 500 }) : null));
    showTab('All alerts');
    await screen.findByText('Failed to load alerts');
    page.fail(null);
    await press('Retry');
    await screen.findByText('No alerts yet. Open a symbol on My list to add one.');
  });

  test('lists stock and scan alerts in one table with a search', async () => {
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
    expect(screen.getByText('No alerts match “moversx”.')).toBeTruthy();
    expect(await results(document.body)).toEqual([]);
  });

  test('selects by Shift in the shown order, and switches before the server answers', async () => {
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

  test('shows which alerts failed and why, with their real state', async () => {
    page.alert('BHP', 50, 'Breakout');
    const { id } = page.alert('CBA', 200);
    await openTab('All alerts');
    page.fail(({ method, url }) =>
      method === 'PATCH' && url.endsWith(`/${id}`) ? Response.json({}, { status: 500 }) : null,
    );
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await press('Switch off');
    await screen.findByText('1 of 2 switched off. 1 failed: CBA: Failed to toggle active.');
    expect(lines().map((line) => line.split('|')[4])).toEqual(['Off', 'Active']);
  });

  test('switches on top of another change, and fails at a second conflict', async () => {
    const { id } = page.alert('BHP', 50);
    await openTab('All alerts');
    const versions: unknown[] = [];
    const theirs = { ...page.app.parts.alerts.service.listViews(page.userId)[0], version: 7 };
    const error = 'This alert was changed in another window or a chat.';
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
    await screen.findByText(`None of 1 switched off. 1 failed: BHP: ${error}`);
    expect(page.alerts().map((alert) => alert.id)).toEqual([id]);
  });

  test('deletes after a question with number and names, and accepts that one is already gone', async () => {
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

  test('opens the editor by Enter and selects by the space bar', async () => {
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

test('groups can be set for many alerts, filtered, searched and removed', async () => {
  page.alert('BHP', 50);
  page.alert('CBA', 200);
  page.alert('XRO', 200);
  await openTab('All alerts');
  expect(screen.queryByLabelText('Group')).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select BHP' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select XRO' }));
  await file(' Long term ', 'Add to Long term');
  await screen.findByText('2 alerts filed.');
  expect(groups()).toEqual(['BHP Long term', 'CBA null', 'XRO Long term']);
  await userEvent.selectOptions(await screen.findByLabelText('Group'), 'Without a group');
  expect(lines().map((line) => line.slice(0, 4))).toEqual(['|CBA']);
  await userEvent.selectOptions(screen.getByLabelText('Group'), 'Long term');
  expect(rows()).toHaveLength(2);
  await file('', 'Remove from groups');
  await waitFor(() => expect(groups()).toEqual(['BHP null', 'CBA null', 'XRO null']));
  // If the group is gone, all alerts are shown.
  await waitFor(() => expect(rows()).toHaveLength(3));
});

test('all triggers are loaded page by page', async () => {
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

describe('refreshing the newest page of triggers', () => {
  const list = withOlder(pageOf([9, 8, 7], 'at 7'), pageOf([6, 5], 'at 5'));

  test('adds new triggers and keeps the older pages', () => {
    const now = withNewest(list, pageOf([10, 9, 8], 'at 8'));
    expect(idsOf(now)).toEqual([10, 9, 8, 7, 6, 5]);
    expect(now.next).toBe('at 5');
  });

  test('removes triggers that are gone from the top', () => {
    expect(idsOf(withNewest(list, pageOf([9, 7, 6], 'at 6')))).toEqual([9, 7, 6, 5]);
  });

  test('starts again after a gap, and if there are no older triggers', () => {
    expect(withNewest(list, pageOf([30, 29, 28], 'at 28'))).toEqual(pageOf([30, 29, 28], 'at 28'));
    expect(withNewest(list, pageOf([9, 8], null))).toEqual(pageOf([9, 8], null));
    expect(withNewest(null, pageOf([9], 'at 9'))).toEqual(pageOf([9], 'at 9'));
    expect(withNewest(list, pageOf([6, 5], 'at 5'))).toEqual(pageOf([6, 5], 'at 5'));
  });
});

/** Adds alerts that fire too often, one per symbol. */
function noisy(...symbols: string[]): void {
  symbols.forEach((symbol, index) => {
    const { id } = page.alert(symbol, 900 + index);
    for (let n = 0; n < 21; n += 1)
      storeTrigger(page.app.db, { alertId: id, triggeredAt: page.app.clock.now() - n });
  });
  page.app.db.update(alerts).set({ persistent: true }).run();
}
/** Adds an alert that is sent to a broken chat. */
function undelivered(symbol: string): void {
  page.alert(symbol, 900);
  const { db, clock } = page.app;
  const now = clock.now();
  const chat = { platform: 'telegram', chatId: '4711', createdAt: now, confirmedAt: now } as const;
  const broken = { brokenAt: now, brokenReason: 'The bot was blocked.' };
  db.insert(linkedChats)
    .values({ userId: 1, ...chat, ...broken })
    .run();
  db.update(alerts).set({ telegram: true }).run();
}
const NOT_DELIVERED = 'Not delivered to your Telegram chat: The bot was blocked.';
async function openFilter(address = '/watchlist/alerts/attention'): Promise<void> {
  goTo(address);
  render(<WatchlistPage />);
  await screen.findByRole('grid', { name: 'All alerts' });
  await waitFor(() => expect(document.querySelector('table[aria-busy="true"]') === null).toBe(true));
}
const bar = () => within(screen.getByRole('group', { name: 'Selected alerts' }));
const shownCodes = () => lines().map((line) => line.slice(1, 4));

describe('the filter Needs attention of all alerts', () => {
  test('is counted on the tab, is switched on by its toggle, and shows the reasons', async () => {
    noisy('BHP', 'CBA');
    page.alert('XRO', 200);
    await openTab('All alerts');
    await screen.findByRole('tab', { name: 'All alerts 2 need attention' });
    expect(rows()).toHaveLength(3);
    await userEvent.click(await screen.findByRole('switch', { name: 'Needs attention (2)' }));
    expect(currentHash.value).toBe('#/watchlist/alerts/attention');
    await waitFor(() => expect(shownCodes()).toEqual(['BHP', 'CBA']));
    expect(lines()[0]).toContain('|Fires too often: 21 times on ');
    expect(await results(document.body)).toEqual([]);
    await userEvent.click(screen.getByRole('switch', { name: 'Needs attention (2)' }));
    await waitFor(() => expect(rows()).toHaveLength(3));
  });

  test('switches off, raises the cooldown and dismisses, each with Undo', async () => {
    noisy('BHP', 'CBA');
    await openFilter();
    await userEvent.click(boxOf('Select BHP'));
    // The row disappears, and with it the focus.
    boxOf('Select BHP').focus();
    fireEvent.click(screen.getByRole('button', { name: 'Switch off' }));
    await screen.findByText('1 alert switched off.');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('1 alert switched off.Undo'));
    expect(isOn()).toEqual(['BHP false', 'CBA true']);
    expect(shownCodes()).toEqual(['CBA']);
    await press('Undo');
    await waitFor(() => expect(shownCodes()).toEqual(['BHP', 'CBA']));
    const cooldowns = () => page.alerts().map(({ cooldownMinutes }) => cooldownMinutes);
    await press('Cooldown 30 min');
    await screen.findByText('1 alert given a longer cooldown.');
    expect(cooldowns()).toEqual([30, 1]);
    await press('Undo');
    await screen.findByText('1 alert reset to the previous cooldown.');
    expect(cooldowns()).toEqual([1, 1]);
    await userEvent.click(bar().getByRole('button', { name: 'Dismiss' }));
    await screen.findByText('1 alert dismissed for 90 days.');
    expect(shownCodes()).toEqual(['CBA']);
    await press('Undo');
    await waitFor(() => expect(shownCodes()).toEqual(['BHP', 'CBA']));
  });

  test('asks before it merges; the oldest is sent where any of them was', async () => {
    const { id } = page.alert('BHP', 50, 'First');
    for (const name of ['Second', 'Third']) page.alert('BHP', 50, name);
    page.app.db.update(alerts).set({ telegram: true }).where(eq(alerts.name, 'Third')).run();
    await openFilter();
    expect(lines().map((line) => line.split('|')[2])).toEqual([
      'Duplicate of the older alert BHP First.',
      'Not delivered to Telegram: no chat is linked. Duplicate of the older alert BHP First.',
    ]);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await press('Merge…');
    await userEvent.click(await screen.findByRole('button', { name: 'Merge and delete 2 alerts' }));
    await screen.findByText('2 alerts merged.');
    expect(page.alerts()).toMatchObject([{ id, name: 'First', destinations: { telegram: true } }]);
  });

  test('names a broken chat on every tab until it is dismissed', async () => {
    undelivered('BHP');
    await openTab('Triggers');
    await screen.findByText(NOT_DELIVERED);
    expect(screen.getByRole('link', { name: 'Open Settings' }).getAttribute('href')).toBe(
      '#/settings/linked-accounts',
    );
    expect(await results(document.body)).toEqual([]);
    act(() => goTo('/watchlist/alerts/attention'));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select BHP' }));
    await userEvent.click(bar().getByRole('button', { name: 'Dismiss' }));
    await screen.findByText('1 alert dismissed for 90 days.');
    expect(screen.queryByText(NOT_DELIVERED)).toBeNull();
    await screen.findByText('No alerts need attention.');
  });

  test('turns the weekly message on, and off again if that is refused', async () => {
    await openFilter();
    const weekly = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Send me this once a week' });
    const kept = () => page.app.db.select().from(reviewChoices).all();
    await userEvent.click(weekly());
    await waitFor(() => expect(kept()).toMatchObject([{ userId: page.userId, weekly: true }]));
    page.fail(({ method }) => (method === 'PUT' ? Response.json({}, { status: 500 }) : null));
    await userEvent.click(weekly());
    await screen.findByText('Failed to save');
    await waitFor(() => expect(weekly().checked).toBe(true));
  });

  test('shows a failed load with a retry, and still lists all alerts', async () => {
    noisy('BHP');
    page.fail(({ url }) => (url.endsWith('/attention') ? Response.json({}, { status: 500 }) : null));
    await openTab('All alerts');
    expect(shownCodes()).toEqual(['BHP']);
    await userEvent.click(screen.getByRole('switch', { name: 'Needs attention' }));
    await screen.findByText('Failed to check which alerts need attention');
    expect(rows()).toEqual([]);
    page.fail(null);
    await press('Retry');
    await waitFor(() => expect(shownCodes()).toEqual(['BHP']));
  });
});

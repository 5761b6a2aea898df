import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { alerts, linkedChats } from '../../../../src/platform/db/alertSchema.ts';
import { WatchlistPage } from '../../../../src/subjects/alerts/web/watchlist/WatchlistPage.tsx';
import { publishAlert } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { goTo } from '../../../../web/router/navigate.ts';
import { findings as faults } from '../../../support/axe.ts';
import { openWatchlist, type WatchlistScreen } from '../../../support/watchlistScreen.tsx';

// Loaded ahead: no test waits for code.
await Promise.all([
  import('../../../../src/subjects/alerts/web/watchlist/allAlerts/AllAlerts.tsx'),
  import('../../../../src/subjects/alerts/web/watchlist/review/Review.tsx'),
]);

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
});
afterEach(() => page.close());

/** Alerts of so long ago, of which none ever fired. */
function silent(...symbols: string[]): void {
  symbols.forEach((symbol, index) => page.alert(symbol, 900 + index));
  const at = page.app.clock.now() - 40 * 24 * 3_600_000;
  page.app.db.update(alerts).set({ createdAt: at, updatedAt: at }).run();
}
async function show(): Promise<void> {
  goTo('/watchlist/review');
  render(<WatchlistPage />);
  await screen.findByRole('region', { name: 'Review of your alerts' });
}
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const titles = () => [...document.querySelectorAll('.finding-title')].map(({ textContent }) => textContent);
const isOn = () => page.alerts().map(({ symbol, active }) => `${symbol} ${active}`);

describe('the review of alerts', () => {
  test('counts on its tab, and a press acts at once and can be taken back', async () => {
    silent('BHP', 'CBA');
    await show();
    await screen.findByRole('tab', { name: 'Review 2 to look at' });
    expect(titles()).toEqual(['BHP', 'CBA']);
    expect(screen.getByRole('heading', { name: 'Never fires 2' })).toBeTruthy();
    expect(await faults(document.body)).toEqual([]);
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
    expect(await faults(document.body)).toEqual([]);
    act(() => goTo('/watchlist/review'));
    await press(/^Keep it/);
    await screen.findByText(/^Kept for 90 days/);
    act(() => goTo('/watchlist/alerts'));
    await screen.findByRole('region', { name: 'All alerts' });
    await waitFor(() => expect(screen.queryByText(told)).toBeNull());
  });

  test('keeps the focus in the list as it is worked by keyboard', async () => {
    silent('BHP', 'CBA');
    await show();
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
    await show();
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
    await show();
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

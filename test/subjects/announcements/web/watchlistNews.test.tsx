import { afterEach, beforeEach, expect, test } from 'bun:test';
import { screen, within } from '@testing-library/react';
import { findings } from '../../../support/axe.ts';
import { openRow, openWatchlist, type WatchlistScreen } from '../../../support/watchlistScreen.tsx';

let page: WatchlistScreen;
beforeEach(async () => {
  page = await openWatchlist();
});
afterEach(() => page.close());

test('a symbol’s row in the watchlist opens its news after its alerts', async () => {
  page.watch('BHP');
  await page.open();
  await openRow('BHP');
  const news = await screen.findByRole('article', { name: 'News for BHP' });
  expect(news.textContent).toContain('No announcements captured for today.');
  expect(news.textContent).toContain('No summary available yet.');
  expect(within(news).getByRole('button', { name: 'Refresh news' })).toBeTruthy();
  expect(within(news).queryByRole('button', { name: 'Alert me' })).toBeNull();
  const alerts = screen.getByRole('region', { name: 'Alerts on BHP' });
  expect(alerts.compareDocumentPosition(news) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
  expect(await findings(document.body)).toEqual([]);
});

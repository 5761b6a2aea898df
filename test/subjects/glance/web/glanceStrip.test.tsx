import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { hideStrip } from '../../../../src/subjects/glance/web/shared/stripChoice.ts';
import { type AppOnAnswers, openAppOnAnswers, PATIENT } from '../../../support/appOnAnswers.tsx';
import { aStock } from '../../../support/aStock.ts';
import { findings } from '../../../support/axe.ts';
import { aDelta, aMeta } from '../../../support/market.ts';

await import('../../../../src/subjects/glance/web/shared/late.ts');
await import('../../../../src/subjects/glance/web/MarketPage.tsx');

const STOCKS = [
  aStock({
    code: 'AAA',
    last: 1.1,
    close: 1,
    high: 2,
    low: 1.05,
    yearRange: { high: 2, low: 1 },
    value: 2e6,
  }),
  aStock({ code: 'BBB', last: 0.9, close: 1, yearRange: { high: 2, low: 0.1 }, value: 1e6 }),
];

let page: AppOnAnswers;
beforeEach(() => {
  localStorage.clear();
  hideStrip(false);
  page = openAppOnAnswers();
});
afterEach(() => page.close());

async function open(): Promise<void> {
  page.server.answers['GET /api/data/usual-value'] = {
    body: { date: '2026-11-20', sessions: 1, shares: [], funds: [] },
  };
  await page.open('/intra-day-small', 1);
  page.send('snapshot', {
    stocks: Object.fromEntries(STOCKS.map((stock) => [stock.code, stock])),
    meta: aMeta({ stockCount: STOCKS.length }),
    fx: { data: {}, lastUpdated: null },
  });
}
const strip = () => screen.getByRole('complementary', { name: 'Market' });

describe('the strip of the market', () => {
  test('has its place before its code, then says how the market stands, and follows it', async () => {
    await open();
    expect(strip().textContent).toBe('');
    await waitFor(() => expect(strip().textContent).toContain('1 advancing'), PATIENT);
    expect(strip().textContent).toContain('1 new highs, 0 lows');
    expect(strip().textContent).toContain('$3.0 M traded, usual known after 3 sessions, 1 so far');
    expect(page.server.to('/api/data/price-ranges')).toEqual([]);
    page.send('delta_update', aDelta({ BBB: { last: 1.3 } }, { stockCount: 2 }));
    await waitFor(() => expect(strip().textContent).toContain('2 advancing'), PATIENT);
    expect(await findings(strip())).toEqual([]);
    expect(page.errors()).toEqual([]);
  });

  test('leads to the page of the market', async () => {
    await open();
    await userEvent.click(await screen.findByRole('link', { name: /advancing/ }, PATIENT));
    expect(window.location.hash).toBe('#/market');
  });

  test('is put away by the user, for this browser, until the page shows it again', async () => {
    await open();
    await userEvent.click(await screen.findByRole('button', { name: 'Hide the market strip' }, PATIENT));
    expect(screen.queryByRole('complementary', { name: 'Market' })).toBeNull();
    expect(localStorage.getItem('bellbird.marketStrip')).toBe('hidden');
    await userEvent.keyboard('gm');
    await userEvent.click(
      await screen.findByRole('switch', { name: /on a line above the scanners/ }, PATIENT),
    );
    expect(localStorage.getItem('bellbird.marketStrip')).toBeNull();
  });
});

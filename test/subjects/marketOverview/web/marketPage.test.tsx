import { beforeEach, describe, expect, test } from 'bun:test';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Stock } from '#market/rules/stock.ts';
import { hideSummaryBar } from '#subjects/marketOverview/web/shared/summaryBarChoice.ts';
import { aNewsDay } from '#support/aNewsDay.ts';
import { openAppOnAnswers, PATIENT } from '#support/appOnAnswers.tsx';
import { aPreOpenStock, aStock } from '#support/aStock.ts';
import { results } from '#support/axe.ts';
import { aDelta, aMeta } from '#support/market.ts';
import { eachTest } from '#support/eachTest.ts';

// Loaded ahead so that no test waits for the code of a screen.
await import('#subjects/marketOverview/web/MarketPage.tsx');
await import('#subjects/marketOverview/web/shared/late.ts');

const TODAY = '2026-11-20';
const release = (headline: string, time: string, isPriceSensitive = false, types = ['Report']) => ({
  headline,
  time: `${TODAY}T0${time}:00.000Z`,
  isPriceSensitive,
  announcementTypes: types,
  url: headline === 'Trading Halt' ? 'https://example.com/halt.pdf' : null,
});

const STOCKS = [
  aStock({
    code: 'AAA',
    sector: 'Materials',
    last: 1.1,
    close: 1,
    change_percent: 10,
    marketCap: 4e9,
    high: 2,
    relativeVolume: 5,
    value: 2e6,
    news: {
      [TODAY]: aNewsDay({
        announcements: {
          a1: release('Quarterly Report', '0:00'),
          a2: release('Trading Halt', '1:00', true, ['Halt']),
        },
      }),
    },
  }),
  aStock({
    code: 'BBB',
    sector: 'Banks',
    last: 0.9,
    close: 1,
    change_percent: -10,
    marketCap: 9e9,
    value: 1e6,
    news: { '2026-11-19': aNewsDay({ announcements: { b1: release('Old Notice', '0:00') } }) },
  }),
  aStock({
    code: 'FFF',
    sector: 'Banks',
    securityType: 'fund',
    last: 1,
    close: 1,
    change_percent: 0,
    value: 0,
  }),
];

const snapshotOf = (stocks: readonly Stock[]) => ({
  stocks: Object.fromEntries(stocks.map((stock) => [stock.code, stock])),
  meta: aMeta({ stockCount: stocks.length, dateToday: TODAY }),
  fx: { data: {}, lastUpdated: null },
});

const page = eachTest(() => openAppOnAnswers());
beforeEach(() => {
  Object.assign(page.server.answers, {
    'GET /api/data/usual-value': {
      body: { date: TODAY, sessions: 20, shares: new Array(79).fill(2e6), funds: new Array(79).fill(1e6) },
    },
    'GET /api/data/price-ranges': {
      body: {
        date: TODAY,
        since: '2025-11-24',
        codes: ['AAA', 'BBB', 'FFF'],
        highs: [1.5, 2, 2],
        lows: [0.1, 0.1, 0.1],
      },
    },
    'GET /api/watchlist': { body: { items: [{ id: 1, symbol: 'BBB', alertCount: 0 }] } },
  });
});

async function open(route = '/market', stocks: readonly Stock[] = STOCKS): Promise<void> {
  await page.open(route, 1);
  page.send('snapshot', snapshotOf(stocks));
}
const figure = (name: RegExp) => screen.findByRole('button', { name }, PATIENT);
const shownCodes = () =>
  [...document.querySelectorAll('tr[data-id]')].map((one) => one.getAttribute('data-id')).sort();
/** The user sorts by Volume and shows stocks that traded $1.5 million. */
const OWN_CHOICES = JSON.stringify({
  sort: { id: 'volume', desc: true },
  snapshotSort: { id: 'last', desc: true },
  filters: { priceGroup: null, newsOnly: false, minValue: 1_500_000 },
});

test('the summary bar above a scanner shows the market live until the user hides it', async () => {
  const strip = () => screen.getByRole('complementary', { name: 'Market' });
  hideSummaryBar(false);
  await open('/intra-day-small');
  await waitFor(() => expect(strip().textContent).toContain('1 advancing'), PATIENT);
  expect(strip().textContent).toContain('$3.0 M traded');
  page.send('delta_update', aDelta({ BBB: { last: 1.3 } }, { stockCount: 3 }));
  await waitFor(() => expect(strip().textContent).toContain('2 advancing'), PATIENT);
  expect(await results(strip())).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Hide the summary bar' }));
  expect(screen.queryByRole('complementary', { name: 'Market' })).toBeNull();
  expect(localStorage.getItem('bellbird.marketStrip')).toBe('hidden');
  await userEvent.keyboard('gm');
  await userEvent.click(await screen.findByRole('switch', { name: /on a line above/ }, PATIENT));
  expect(localStorage.getItem('bellbird.marketStrip')).toBeNull();
});

describe('the market overview', () => {
  test('counts, compares and follows the stream', async () => {
    await open();
    expect((await figure(/Advancers/)).textContent).toContain('1');
    expect((await figure(/Decliners/)).textContent).toContain('1');
    await waitFor(() => expect(document.body.textContent).toContain('100% of usual'), PATIENT);
    await waitFor(async () => expect((await figure(/New highs/)).textContent).toContain('1'), PATIENT);
    expect(document.body.textContent).toContain('beyond the prices kept since Monday 24 November 2025');
    page.send('delta_update', aDelta({ BBB: { last: 1.2, change_percent: 20 } }, { stockCount: 3 }));
    await waitFor(async () => expect((await figure(/Advancers/)).textContent).toContain('2'), PATIENT);
    expect(page.errors()).toEqual([]);
  });

  test('before the open counts gaps by match price, and a click shows them by Gap %', async () => {
    await page.open('/market', 1);
    const gap = (code: string, percent: number | null) =>
      aPreOpenStock({ code, sector: 'Banks', marketCap: 1e9, indicativeChangePercent: percent });
    const before = snapshotOf([gap('UP', 2), gap('UP2', 4), gap('DN', -3), gap('NON', null)]);
    const marketTime = Date.parse(`${TODAY}T09:30:00+11:00`);
    page.send('snapshot', { ...before, meta: { ...before.meta, marketTime } });
    expect((await figure(/Gapping down/)).textContent).toContain('1');
    expect(document.body.textContent).toContain('by match price: 3 of 4 stocks have one');
    await userEvent.click(await figure(/Gapping up/));
    await waitFor(() => expect(shownCodes()).toEqual(['UP', 'UP2']), PATIENT);
    expect(screen.getByRole('columnheader', { name: /Gap %/ }).getAttribute('aria-sort')).toBe('descending');
  });

  test('reserves the space of a market that arrives in parts, and shows no partial figures', async () => {
    const [first] = STOCKS;
    const part = snapshotOf(first ? [first] : []);
    await page.open('/market', 1);
    page.send('snapshot', { ...part, meta: { ...part.meta, stockCount: 3 } });
    expect(await figure(/Advancers/)).toMatchObject({ disabled: true });
    screen.getByLabelText('Loading the market…');
    page.send('delta_update', aDelta({ BBB: STOCKS[1] ?? {}, FFF: STOCKS[2] ?? {} }, { stockCount: 3 }));
    await waitFor(async () => expect((await figure(/Decliners/)).textContent).toContain('1'), PATIENT);
    expect(await figure(/Advancers/)).toMatchObject({ disabled: false });
    expect(screen.queryByLabelText('Loading the market…')).toBeNull();
  });

  test('a click shows those stocks by Change in the custom scanner, and keeps the user’s own choices', async () => {
    localStorage.setItem('bellbird.scanner.custom', OWN_CHOICES);
    await open();
    await userEvent.click(await figure(/Decliners/));
    expect(window.location.hash).toBe('#/custom-scanner');
    await screen.findByText(/from the market overview/, undefined, PATIENT);
    await waitFor(() => expect(shownCodes()).toEqual(['BBB']), PATIENT);
    expect(screen.getByText('Decliners')).toBeDefined();
    const change = screen.getByRole('columnheader', { name: /Change/ });
    expect(change.getAttribute('aria-sort')).toBe('ascending');
    expect(screen.queryByRole('button', { name: 'New scan' })).toBeNull();
    expect(localStorage.getItem('bellbird.scanner.custom')).toBe(OWN_CHOICES);
    await userEvent.click(screen.getByRole('button', { name: 'News Only' }));
    expect(localStorage.getItem('bellbird.scanner.custom')).toBe(OWN_CHOICES);
    screen.getByRole('button', { name: 'Back to my scanner' }).focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(shownCodes()).toEqual(['AAA']), PATIENT);
    expect(screen.queryByRole('columnheader', { name: /Change/ })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Filter by code or name' }));
    expect(JSON.parse(localStorage.getItem('bellbird.scanner.custom') ?? '')).toMatchObject(
      JSON.parse(OWN_CHOICES) as object,
    );
  });

  test('the map is one Tab stop, and the arrow keys move through it', async () => {
    await open();
    const map = await screen.findByRole('group', { name: /Map of the sectors/ }, PATIENT);
    const tiles = within(map).getAllByRole('button');
    expect(tiles.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    tiles[0]?.focus();
    await userEvent.keyboard('{End}');
    expect(document.activeElement).toBe(tiles.at(-1) ?? null);
    await userEvent.keyboard('{ArrowUp}');
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^(Banks|Materials) /);
    await userEvent.keyboard('{Home}{Enter}');
    expect(window.location.hash).toBe('#/custom-scanner');
    await screen.findByText(/from the market overview/, undefined, PATIENT);
    expect(screen.getByText('Banks', { selector: 'strong' })).toBeDefined();
  });
});

describe('the announcements of the day', () => {
  test('are listed newest first, live, and filtered', async () => {
    await open('/announcements');
    await waitFor(() => expect(document.body.textContent).toContain('1 of 2 announcements'), PATIENT);
    const headlines = () =>
      [...document.querySelectorAll('tr[data-id]')].map((one) => one.getAttribute('data-id'));
    expect(headlines()).toEqual(['AAA a2']);
    await userEvent.click(screen.getByRole('switch', { name: 'Price sensitive' }));
    await waitFor(() => expect(headlines()).toEqual(['AAA a2', 'AAA a1']), PATIENT);
    expect(screen.getByText('2 announcements')).toBeDefined();
    expect(await results(document.body)).toEqual([]);
    await userEvent.click(screen.getByRole('switch', { name: 'My watchlist' }));
    await screen.findByText(/The filters hide all announcements/, undefined, PATIENT);
    await userEvent.click(screen.getByRole('button', { name: 'Clear the filters' }));
    await waitFor(() => expect(headlines()).toHaveLength(2), PATIENT);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search' }), 'quarter');
    await waitFor(() => expect(headlines()).toEqual(['AAA a1']), PATIENT);
    await userEvent.clear(screen.getByRole('searchbox', { name: 'Search' }));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'Halt');
    await waitFor(() => expect(headlines()).toEqual(['AAA a2']), PATIENT);
    page.send(
      'delta_update',
      aDelta(
        {
          FFF: {
            news: {
              [TODAY]: {
                alerted: true,
                announcements: { f1: release('Halt of FFF', '2:00', true, ['Halt']) },
              },
            },
          },
        },
        { stockCount: 3 },
      ),
    );
    await waitFor(() => expect(headlines()).toContain('FFF f1'), PATIENT);
  });

  test('link to the document and to the stock', async () => {
    // The address before the announcements had their own screen.
    await open('/market/announcements');
    const link = await screen.findByRole('link', { name: 'Document of AAA: Trading Halt' }, PATIENT);
    expect(link.getAttribute('href')).toBe('https://example.com/halt.pdf');
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    await userEvent.click(screen.getByText('Trading Halt'));
    await screen.findByRole('complementary', { name: 'Selected stock' }, PATIENT);
    await screen.findByRole('article', { name: 'News for AAA' }, PATIENT);
  });
});

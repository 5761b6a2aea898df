import { describe, afterEach, beforeEach, expect, jest, test } from 'bun:test';
import type { Announcement, Stock } from '#market/rules/stock.ts';
import {
  startNewsMarks,
  createNewSensitive,
  NEWS_MARKED_MS,
} from '#subjects/announcements/web/shared/newsMarks.ts';
import { startLive } from '#web/live/market.ts';
import { fromSnapshot } from '#web/live/stream/marketState.ts';
import type { ToWindow } from '#web/live/stream/protocol.ts';
import { closePane, emptyPane, showStock } from '#web/windows/stockPane.ts';
import { aNewsDay } from '#support/aNewsDay.ts';
import { aStock } from '#support/aStock.ts';
import { aDelta, aMeta } from '#support/market.ts';
import { act, within, screen } from '@testing-library/react';
import { results } from '#support/axe.ts';
import { openRow, openWatchlist } from '#support/watchlistScreen.tsx';
import { eachTest } from '#support/eachTest.ts';

const TODAY = '2026-11-20';
const OPENED = Date.parse('2026-11-19T23:12:00Z');
const item = (at: number, isPriceSensitive = true): Announcement => ({
  headline: 'Report',
  url: null,
  announcementTypes: [],
  isPriceSensitive,
  time: new Date(at).toISOString(),
});
const withNews = (code: string, announcements: Record<string, Announcement>): Stock =>
  aStock({ code, news: { [TODAY]: aNewsDay({ announcements }) } });
const mapOf = (...stocks: Stock[]) => new Map(stocks.map((stock) => [stock.code, stock]));

describe('a stock with a new price-sensitive announcement', () => {
  const begin = (...stocks: Stock[]) => {
    const { update } = createNewSensitive();
    const at = (now: number, ...shown: Stock[]) => [...update(mapOf(...shown), { now, speed: 1 })];
    expect(at(OPENED, ...stocks)).toEqual([]);
    return at;
  };
  const old = item(OPENED - 60_000);
  const fresh = item(OPENED + 4000);

  test('is marked once while the page is open, but not for old or other announcements', () => {
    const update = begin(aStock({ code: 'AAA' }), withNews('BBB', { o: old }));
    const after = [withNews('AAA', { f: fresh }), withNews('BBB', { o: old, p: item(OPENED + 4000, false) })];
    expect(update(OPENED + 5000, ...after)).toEqual([['AAA', NEWS_MARKED_MS]]);
    expect(update(OPENED + 6000, ...after)).toEqual([]);
    expect(update(OPENED + 7000, withNews('BBB', { o: old, p: fresh }))).toEqual([['BBB', NEWS_MARKED_MS]]);
  });

  test('is not marked again for repeated data, but is for another announcement', () => {
    const update = begin(aStock({ code: 'AAA' }));
    update(OPENED + 5000, withNews('AAA', { f: fresh }));
    expect(update(OPENED + 9000, withNews('AAA', { f: { ...fresh } }))).toEqual([]);
    expect(update(OPENED + 9000, withNews('AAA', {}))).toEqual([]);
    expect(update(OPENED + 10_000, withNews('AAA', { f: fresh }))).toEqual([]);
    const two = withNews('AAA', { f: fresh, g: item(OPENED + 10_000) });
    expect(update(OPENED + 11_000, two)).toEqual([['AAA', NEWS_MARKED_MS]]);
  });

  test('is marked if the source was late, but not for one long before the window woke', () => {
    const update = begin(aStock({ code: 'AAA' }), aStock({ code: 'BBB' }));
    expect(update(OPENED + 5000, withNews('AAA', { o: old }))).toEqual([['AAA', NEWS_MARKED_MS]]);
    const hour = OPENED + 3_600_000;
    expect(update(hour, withNews('BBB', { f: fresh }))).toEqual([]);
    expect(update(hour, withNews('BBB', { f: fresh, g: { ...fresh, time: '' } }))).toEqual([
      ['BBB', NEWS_MARKED_MS],
    ]);
  });

  test('is marked for the rest of the minute if this window did not show it before', () => {
    const update = begin(aStock({ code: 'AAA' }));
    const later = [
      withNews('BBB', { f: fresh }),
      withNews('CCC', { o: old }),
      withNews('DDD', { e: item(OPENED + 100) }),
    ];
    expect(update(OPENED + 24_000, ...later.slice(0, 2))).toEqual([['BBB', NEWS_MARKED_MS - 20_000]]);
    expect(update(OPENED + 90_000, later[2] as Stock)).toEqual([]);
  });
});

describe('the mark', () => {
  let receive: (message: ToWindow) => void;
  let stops: (() => void)[];
  const rules = () =>
    document.adoptedStyleSheets
      .flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))
      .join(' ');
  const show = (...stocks: Stock[]) => {
    const reported = Object.fromEntries(stocks.map((stock) => [stock.code, { ...stock }]));
    const snapshot = { stocks: reported, meta: aMeta(), fx: { data: {}, lastUpdated: null } };
    receive({ type: 'state', state: fromSnapshot(snapshot, Date.now()), connection: 'live' });
  };
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  beforeEach(() => {
    stops = [
      startLive((take) => {
        receive = take;
        return () => {};
      }),
      startNewsMarks(),
    ];
  });
  afterEach(() => {
    jest.useRealTimers();
    for (const stop of stops.reverse()) stop();
  });

  test('uses words and shape, only on the stock’s row, for a minute', async () => {
    show(withNews('BBB', { o: item(OPENED - 60_000) }), aStock({ code: 'AAA' }));
    expect(rules()).toBe('');
    const now = aMeta().marketTime;
    const news = withNews('AAA', { f: item(now) }).news;
    receive({
      type: 'delta',
      delta: aDelta({ AAA: { news } }),
      receivedAt: Date.now(),
      changedAt: Date.now(),
    });
    await frame();
    expect(rules()).toContain('data-id="AAA"');
    expect(rules()).not.toContain('BBB');
    expect(rules()).toContain("'◆ New: price sensitive' / 'New price-sensitive announcement'");
    // A new connection delivers everything again.
    show(withNews('BBB', { o: item(OPENED - 60_000) }), withNews('AAA', { f: item(now) }));
    expect(rules()).toContain('data-id="AAA"');
  });
});

describe('news in the watchlist', () => {
  const page = eachTest(() => openWatchlist());

  test('a symbol’s row in the watchlist opens its news after its alerts', async () => {
    closePane();
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
    expect(await results(document.body)).toEqual([]);
    // The pane shows it instead, while it is on.
    act(() => showStock('BHP'));
    expect(screen.queryByRole('article')).toBeNull();
    emptyPane();
  });
});

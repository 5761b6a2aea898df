import { fromSydney } from '#lib/sydneyTime.ts';
import type { SystemClock } from '#lib/clock.ts';
import { anItem } from './asxFixture.ts';
import { clockFrom, openClockedFixture } from './clockedFixture.ts';
import { startFakeAsx } from './fakeAsx.ts';
import { type FxItem, startFakeFxStreet } from './fakeFxStreet.ts';
import { FED, type FedStock, feed } from './fedMarket.ts';

/** A Thursday, and the day before and after it. */
const SMALL_DAY = '2026-11-19';

const traded = (code: string, close: number, last: number, more: object = {}): FedStock => ({
  code,
  close,
  last,
  open: close,
  high: Math.max(close, last),
  low: Math.min(close, last),
  vwap: (close + last) / 2,
  volume: 2_000_000,
  relativeVolume: 1.7,
  marketCap: 80_000_000,
  sector: 'Materials',
  trend: { daysUp: 3, daysDown: 0, weeksUp: 1, weeksDown: 0 },
  yearRange: { high: Math.max(close, last) * 1.5, low: Math.min(close, last) / 2 },
  ...more,
});

const auctioned = (code: string, close: number, match: number, more: object = {}): FedStock => ({
  code,
  close,
  match_price: match,
  match_vol: 400_000,
  buy_surplus: 25_000,
  status: 'Pre Open',
  marketCap: 80_000_000,
  sector: 'Energy',
  ...more,
});

/** A few stocks for every scanner, with everything that a row can show. */
export const FEW_STOCKS: readonly FedStock[] = [
  traded('AAA', 0.5, 0.56),
  traded('ABA', 0.2, 0.21, { sensitiveAnnouncements: 1 }),
  traded('ACA', 0.9, 0.9, { status: 'Halted' }),
  traded('ADA', 0.4, 0.3),
  traded('BBB', 2.5, 2.9),
  traded('BCB', 12, 12.05, { sensitiveAnnouncements: 2, sector: 'Health Care' }),
  traded('BDB', 7, 6.5, { status: 'Suspended' }),
  traded('CCC', 40, 41, { marketCap: 90_000_000_000, sector: 'Banks' }),
  traded('CDC', 150, 151.5, { marketCap: 200_000_000_000, volume: 400_000 }),
  auctioned('PAA', 0.5, 0.56),
  auctioned('PBB', 3, 3.3, { buy_surplus: -12_000 }),
  auctioned('PCC', 30, 31, { marketCap: 9_000_000_000 }),
];

/** Series of the calendar, one every three hours of three days: three countries, every impact, figures for past ones. */
const usualEvents = (now: number): FxItem[] =>
  Array.from({ length: 23 }, (_, at) => ({ at, hours: 3 * (at - 10) - 1 })).map(({ at, hours }) => ({
    id: `event-${at}`,
    dateUtc: new Date(now + hours * 3_600_000).toISOString(),
    name: `Series ${at}`,
    countryCode: ['AU', 'US', 'CN'][at % 3],
    currencyCode: ['AUD', 'USD', 'CNY'][at % 3],
    volatility: ['HIGH', 'MEDIUM', 'LOW'][(at >> 1) % 3],
    previous: 1.5,
    consensus: 1.2,
    unit: '%',
    actual: hours < 0 ? 1 + at : null,
    isBetterThanExpected: hours < 0 ? at % 2 === 0 : null,
  }));

type Options = {
  env?: Readonly<Record<string, string>>;
  wall?: SystemClock;
  /** In addition to the ones that always exist. */
  events?: readonly FxItem[];
};

/**
 * An exchange of a dozen stocks at twenty to eleven, in which only the test acts: prices are fed, announcements and economic events come from local
 * servers.
 */
export async function openSmallExchange({
  env = {},
  wall = clockFrom(fromSydney(SMALL_DAY, 10, 40)),
  events = [],
}: Options = {}) {
  const now = wall.now();
  const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
  const asx = startFakeAsx({
    now: wall.now,
    items: [
      anItem(minutesAgo(30), { symbol: 'AAA', headline: 'Quarterly report of AAA', isPriceSensitive: true }),
      anItem(minutesAgo(45), { symbol: 'AAA', headline: 'Appendix of AAA' }),
      anItem(minutesAgo(50), { symbol: 'ABA', headline: 'Drilling results of ABA', isPriceSensitive: true }),
    ],
  });
  const fxstreet = startFakeFxStreet({ now: wall.now, items: [...usualEvents(now), ...events] });
  const opened = await openClockedFixture(wall, {
    ...FED,
    BELLBIRD_NEWS: 'asx',
    BELLBIRD_ASX_URL: asx.url,
    BELLBIRD_CALENDAR: 'fxstreet',
    BELLBIRD_FXSTREET_URL: fxstreet.url,
    BELLBIRD_FOREXFACTORY_URL: fxstreet.url,
    ...env,
  });
  const apply = (...stocks: FedStock[]): Promise<void> =>
    feed(opened.fixture.url, ...stocks.map((stock) => ({ quoteTime: wall.now(), ...stock })));
  await apply(...FEW_STOCKS);
  return {
    ...opened,
    /** `now`: the server’s current time. */
    asx,
    fxstreet,
    now: wall.now,
    feed: apply,
    async close(): Promise<void> {
      await opened.close();
      await Promise.all([asx.stop(), fxstreet.stop()]);
    },
  };
}

import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { MARK, openProvidedApp, type ProvidedApp } from '../../support/providedApp.ts';
import { readRecordedDay } from '../../support/recordedAnnouncements.ts';
import { recordings } from '../../support/recordedScan.ts';
import { waitUntil } from '../../support/waitUntil.ts';

// Hundreds of looks with a tick after each; how long those take is the machine's matter.
setDefaultTimeout(60_000);

const DATE = '2026-01-20';
const HOUR = 3_600_000;

let app: ProvidedApp;
afterEach(() => app.end());

const sorted = (ids: Iterable<string>): string[] => [...ids].sort();

/** Ids of the announcements of the day that the page shows, by stock. */
const shown = (): Map<string, string[]> =>
  new Map(
    [...app.picture.stocks]
      .filter(([code]) => code !== MARK)
      .map(([code, { news }]) => [code, sorted(Object.keys(news?.[DATE]?.announcements ?? {}))]),
  );

test.each(recordings())(
  'a recorded day of $name reaches the page whole, each with its stock',
  async ({ folder }) => {
    const { items, summaryCounts } = readRecordedDay(folder, DATE);
    const stocks = Map.groupBy(items, ({ symbol }) => symbol);
    app = await openProvidedApp(fromSydney(DATE, 19, 0), ({ asx }) => asx.add(...items));
    app.list(...stocks.keys());
    await app.pass(2 * HOUR);
    const count = (): number => [...shown().values()].reduce((sum, ids) => sum + ids.length, 0);
    await waitUntil('the announcements of the day', () => count() >= summaryCounts.announcements);
    expect(count()).toBe(summaryCounts.announcements);
    expect(shown()).toEqual(
      new Map([...stocks].map(([code, own]) => [code, sorted(own.map(({ documentKey }) => documentKey))])),
    );
    const sensitive = [...app.picture.stocks.values()].map((stock) => stock.sensitiveAnnouncements ?? 0);
    expect(sensitive.reduce((sum, one) => sum + one, 0)).toBe(summaryCounts.priceSensitive);
  },
);

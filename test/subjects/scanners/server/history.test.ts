import { describe, expect, test } from 'bun:test';
import type {
  HistoryAnswer,
  HistoryChangesAnswer,
  HistoryDaysAnswer,
} from '#subjects/scanners/answers/history.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import {
  HISTORY_FIELDS,
  HISTORY_TABLES,
  type HistoryField,
  historyRows,
  type HistoryTable,
  historyValues,
  inRankOrder,
} from '#market/scanners/rules/historyTables.ts';
import { sessionFiles } from '#market/sessions/files.ts';
import { joinSession } from '#market/sessions/join.ts';
import { Exchange } from '#sources/quotes/simulator/exchange.ts';
import { createListings } from '#sources/quotes/simulator/listings.ts';
import { historyInMemory } from '#support/historyInMemory.ts';
import { storeSessions, tradingDaysBefore } from '#support/storedSessions.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { createFakeClock, createTestApp, type TestAppOptions } from '#support/testApp.ts';

const tempFolder = tempFolders();
const DATE = '2026-11-18';
const MINUTE = 60_000;
const at = (hour: number, minute: number, date = DATE): number => fromSydney(date, hour, minute);

type Options = TestAppOptions & { start?: number; as?: 'free' | 'basic' | 'premium' };

/** An application at 10:59:30 with a manual market. The first table is that of 11:01. */
function open({ as = 'free', start = at(10, 59) + 30_000, ...options }: Options = {}) {
  const clock = createFakeClock(start);
  const app = createTestApp({ clock, ...options });
  const price = (code: string, last: number, more: object = {}) =>
    app.source.apply([
      {
        code,
        name: `${code} Limited`,
        status: 'Open',
        open: 0.5,
        close: 0.5,
        last,
        vwap: 0.5,
        volume: 100_000,
        ...more,
      },
    ]);
  /** Advances to the beginning of the next minute and ticks. The source answers without a change. */
  const minute = (count = 1) => {
    for (let left = count; left > 0; left -= 1) {
      clock.set((Math.floor(clock.now() / MINUTE) + 1) * MINUTE);
      app.source.apply([]);
      app.tick.run();
    }
  };
  const read = async <Answer>(path: string) =>
    (await app.request('GET', `/api/data/tape${path}`, { as })).json as Answer;
  const table = (name: HistoryTable, time: string, date = DATE) =>
    read<HistoryAnswer>(`?table=${name}&date=${date}&time=${time}`);
  const rows = async (time: string) => {
    const { rows: found, time: recorded } = await table('intraDaySmall', time);
    return recorded === null ? null : found.codes;
  };
  return { ...app, price, minute, read, table, rows };
}

describe('the scanner history', () => {
  test('has each minute ranked, as it was known at its beginning', async () => {
    const fixture = open();
    fixture.price('ABC', 0.55);
    fixture.price('XYZ', 0.6);
    fixture.minute(2);
    fixture.price('ABC', 0.7);
    fixture.minute();
    expect(await fixture.rows('11:01')).toEqual(['XYZ', 'ABC']);
    expect(await fixture.rows('11:02')).toEqual(['ABC', 'XYZ']);
    const { rows, time } = await fixture.table('intraDaySmall', '11:01');
    expect(time).toBe(at(11, 1));
    expect(rows.names).toEqual(['XYZ Limited', 'ABC Limited']);
    expect(rows.values.last).toEqual([0.6, 0.55]);
    expect(rows.values.change_percent).toEqual([20, 10]);
    fixture.close();
  });

  test('lists entries and exits newest first, with the figures at that time', async () => {
    const fixture = open();
    fixture.price('ABC', 0.55);
    fixture.minute(2);
    fixture.price('XYZ', 0.6);
    fixture.minute();
    fixture.price('ABC', 0.45, { vwap: 0.6 });
    fixture.minute();
    const rows = await fixture.read<HistoryChangesAnswer>('/changes?table=intraDaySmall');
    expect(rows.rows.codes).toEqual(['ABC', 'XYZ']);
    expect(rows.entered).toEqual([false, true]);
    expect(rows.times).toEqual([at(11, 3), at(11, 2)]);
    expect(rows.rows.values.last).toEqual([0.55, 0.6]);
    const later = await fixture.read<HistoryChangesAnswer>('/changes?table=intraDaySmall&since=11:02');
    expect(later.rows.codes).toEqual(['ABC']);
    fixture.close();
  });

  test('has a marked gap while the source is silent', async () => {
    const fixture = open();
    fixture.price('ABC', 0.55);
    fixture.minute(2);
    fixture.source.setHealth({ healthy: false });
    fixture.price('XYZ', 0.6);
    fixture.minute(10);
    fixture.source.setHealth({ healthy: true });
    fixture.price('XYZ', 0.6);
    fixture.minute();
    expect(await fixture.rows('11:05')).toEqual(['ABC']);
    expect(await fixture.rows('11:06')).toBeNull();
    expect(await fixture.rows('11:12')).toEqual(['XYZ', 'ABC']);
    expect(await fixture.read<HistoryDaysAnswer>('/days')).toEqual({
      days: [
        {
          date: DATE,
          spans: [
            { from: at(11, 1), to: at(11, 1) },
            { from: at(11, 12), to: at(11, 12) },
          ],
        },
      ],
    });
    // There are no entries during the gap.
    const rows = await fixture.read<HistoryChangesAnswer>('/changes?table=intraDaySmall');
    expect(rows.times).toEqual([]);
    fixture.close();
  });

  test('drops the minutes after a jump back, also those that were read', async () => {
    const fixture = open();
    fixture.price('ABC', 0.55);
    fixture.minute(30);
    expect(await fixture.rows('11:28')).toEqual(['ABC']);
    fixture.clock.set(at(11, 20) + 30_000);
    fixture.price('XYZ', 0.6);
    fixture.minute(2);
    expect(await fixture.rows('11:20')).toEqual(['ABC']);
    expect(await fixture.rows('11:22')).toEqual(['XYZ', 'ABC']);
    expect(await fixture.rows('11:28')).toBeNull();
    fixture.close();
  });

  test('survives the end of the process, and goes on after the next start', async () => {
    const files = historyInMemory();
    const killed = open({ runtime: { sessionFiles: files } });
    killed.price('ABC', 0.55);
    killed.minute(3);
    const fixture = open({ runtime: { sessionFiles: files }, start: at(11, 3) + 20_000 });
    fixture.price('ABC', 0.55);
    fixture.price('XYZ', 0.6);
    fixture.minute(2);
    expect(await fixture.rows('11:02')).toEqual(['ABC']);
    // Known from before the first recorded minute, without a trade in it.
    expect(await fixture.rows('11:05')).toEqual(['XYZ', 'ABC']);
    fixture.close();
    killed.close();
  });

  test('reaches back to the oldest session', async () => {
    const folder = tempFolder();
    const dates = tradingDaysBefore(DATE, 30);
    const stock = {
      code: 'ABC',
      close: 0.5,
      minutes: [{ minute: 600, trades: 0.55, volume: 1e5, value: 5e4 }],
    };
    storeSessions(
      folder,
      'hand',
      dates.map((date) => ({ date, stocks: [stock], gaps: [{ from: 700, until: 720 }] })),
    );
    const fixture = open({ runtime: { sessionFiles: sessionFiles(folder) } });
    const [oldest = ''] = dates;
    const { days } = await fixture.read<HistoryDaysAnswer>('/days');
    expect(days.map(({ date }) => date)).toEqual(dates.toReversed());
    expect(days.at(-1)?.spans).toEqual([
      { from: at(7, 1, oldest), to: at(11, 40, oldest) },
      { from: at(12, 1, oldest), to: at(16, 22, oldest) },
    ]);
    expect((await fixture.table('intraDaySmall', '16:00', oldest)).rows.codes).toEqual(['ABC']);
    fixture.close();
  });
});

/** The figures of a row, but for relative volume: the history has that of the last trade. */
const figuresOf = (table: HistoryTable, valueOf: (field: HistoryField, index: number) => number | null) =>
  HISTORY_FIELDS[table].flatMap((field, index) => (field === 'relativeVolume' ? [] : valueOf(field, index)));

describe('a table of the history', () => {
  test('equals the live one at every minute around the open, also when the session is joined', async () => {
    const folder = tempFolder();
    const fixture = open({ start: at(9, 49), runtime: { sessionFiles: sessionFiles(folder) } });
    const exchange = new Exchange({
      seed: 7,
      listings: createListings().filter((_, index) => index % 12 === 0),
    });
    const live = new Map<number, Record<string, unknown>>();
    const market = fixture.services.market;
    for (let now = at(9, 49); now < at(10, 20); now += 5000) {
      fixture.clock.set(now);
      fixture.source.apply(exchange.advanceTo(now));
      fixture.tick.run();
      live.set(
        Math.floor(now / MINUTE) + 1,
        Object.fromEntries(
          HISTORY_TABLES.map((table) => [
            table,
            inRankOrder(
              table,
              historyRows(table, market.all().values(), false).map((stock) => ({
                code: stock.code,
                values: historyValues(table, stock),
              })),
            ).map(({ code, values }) => [code, ...figuresOf(table, (_, index) => values[index] ?? null)]),
          ]),
        ),
      );
    }
    fixture.minute();
    const compare = async (one: ReturnType<typeof open>) => {
      for (let minute = at(9, 51) / MINUTE; minute <= at(10, 20) / MINUTE; minute += 1) {
        const time = new Date(minute * MINUTE + 11 * 3_600_000).toISOString().slice(11, 16);
        // More requests are then allowed.
        one.clock.advance(MINUTE);
        for (const table of HISTORY_TABLES) {
          const { rows } = await one.table(table, time);
          const found = rows.codes.map((code, index) => [
            code,
            ...figuresOf(table, (field) => rows.values[field]?.[index] ?? null),
          ]);
          expect([time, table, found] as unknown).toEqual([time, table, live.get(minute)?.[table]]);
        }
      }
    };
    await compare(fixture);
    fixture.close();
    joinSession(folder, 'hand', DATE);
    const later = open({ start: at(17, 0), runtime: { sessionFiles: sessionFiles(folder) } });
    await compare(later);
    later.close();
  });
});

describe('bad input and limits', () => {
  const refused: [string, string][] = [
    ['?table=custom', 'History is not available for the custom scanner.'],
    ['?table=preMarket&time=25:00', 'Write the time as HH:MM'],
    ['/changes?table=preMarket&since=12:00&time=11:00', 'is in the future'],
  ];
  for (const [path, sentence] of refused) {
    test(path, async () => {
      const fixture = open();
      const answer = await fixture.request('GET', `/api/data/tape${path}`, { as: 'free' });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(sentence);
      fixture.close();
    });
  }
});

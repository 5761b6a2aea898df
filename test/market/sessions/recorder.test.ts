import { describe, expect, test } from 'bun:test';
import type { DayFiles } from '#lib/dayFiles.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { partsIn } from '#market/sessions/files.ts';
import { coverageOf, gapsOf, readStocks } from '#market/sessions/parts.ts';
import { SESSION_COLUMNS, type SessionColumn } from '#market/sessions/rules/sessionDay.ts';
import { type NewsDay, STOCK_STATUSES, type StockUpdate } from '#market/rules/stock.ts';
import { historyInMemory } from '#support/historyInMemory.ts';
import { createFakeClock, createTestApp, type TestAppOptions } from '#support/testApp.ts';

const DATE = '2026-11-18';
const MINUTE = 60_000;
const at = (hour: number, minute: number, date = DATE): number => fromSydney(date, hour, minute);

type Options = TestAppOptions & { start?: number; files?: DayFiles };

/** An application at 10:59:30 with a manual market. The first minute is not seen from its beginning. */
function open({ files = historyInMemory(), start = at(10, 59) + 30_000, ...options }: Options = {}) {
  const clock = createFakeClock(start);
  const app = createTestApp({ clock, ...options, runtime: { sessionFiles: files } });
  const send = (update: StockUpdate) => app.source.apply([update]);
  /** The same price again, at the beginning of the next minute. */
  const minutes = (count: number, more: Partial<StockUpdate> = {}) => {
    for (let left = count; left > 0; left -= 1) {
      clock.set((Math.floor(clock.now() / MINUTE) + 1) * MINUTE);
      send({ code: 'ABC', ...more });
      app.tick.run();
    }
  };
  const parts = (date = DATE) => partsIn(files.read('hand', date) ?? new Uint8Array());
  const rowsOf = (code: string, names: readonly SessionColumn[] = ['last'], date = DATE) => {
    for (const stock of readStocks(parts(date))) {
      if (stock.code !== code) continue;
      const columns = names.map((name) => stock.column(name));
      return Array.from(stock.minutes.subarray(0, stock.rows), (minute, row) => [
        `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`,
        ...columns.map((column) => column[row]),
      ]);
    }
    return [];
  };
  const gaps = (date = DATE) => gapsOf(coverageOf(parts(date)), false);
  return { ...app, files, send, minutes, recorded: parts, rowsOf, gaps };
}

const ABC: StockUpdate = {
  code: 'ABC',
  close: 0.5,
  open: 0.5,
  high: 0.52,
  low: 0.5,
  last: 0.51,
  volume: 1000,
  value: 512.3,
  status: 'Open',
};

describe('the session recorder', () => {
  test('has a row for each minute with trades, with its own prices and the figures at its end', () => {
    const fixture = open();
    fixture.send(ABC);
    fixture.minutes(1);
    fixture.send({ code: 'ABC', last: 0.53, high: 0.53, volume: 1500, value: 777.3 });
    fixture.send({ code: 'ABC', last: 0.49, low: 0.49, volume: 1700, value: 875.3 });
    fixture.minutes(2);
    fixture.send({ code: 'ABC', last: 0.5, volume: 1701, value: 875.8 });
    fixture.minutes(1);
    expect(fixture.rowsOf('ABC', ['open', 'high', 'low', 'last', 'volume', 'value', 'status'])).toEqual([
      // Begins with the day so far, which is in no row.
      ['11:00', 0.5, 0.53, 0.49, 0.49, 1700, 875.3, 1],
      ['11:02', 0.5, 0.5, 0.5, 0.5, 1701, 875.8, 1],
    ]);
    fixture.close();
  });

  test('counts a trade in the minute in which it arrived, even if the next tick is later', () => {
    const fixture = open();
    fixture.send(ABC);
    fixture.minutes(1);
    fixture.clock.set(at(11, 0) + 59_900);
    fixture.send({ code: 'ABC', last: 0.52, volume: 1100 });
    fixture.clock.set(at(11, 1) + 100);
    fixture.send({ code: 'ABC', last: 0.4, low: 0.4, volume: 1200 });
    fixture.tick.run();
    expect(fixture.rowsOf('ABC', ['last', 'volume'])).toEqual([['11:00', 0.52, 1100]]);
    fixture.close();
  });

  test('has rows for an auction and for statuses, without a price', () => {
    const fixture = open({ start: at(9, 29) + 30_000 });
    fixture.send({ code: 'ABC', close: 0.5, status: 'Pre Open' });
    fixture.minutes(1);
    fixture.send({ code: 'ABC', match_price: 0.55, match_vol: 900, buy_surplus: -50 });
    fixture.minutes(1);
    fixture.send({ code: 'ABC', match_price: null, match_vol: null, buy_surplus: null, status: 'Halted' });
    fixture.minutes(1);
    expect(fixture.rowsOf('ABC', ['last', 'matchPrice', 'matchVolume', 'surplus', 'status'])).toEqual([
      ['9:30', Number.NaN, 0.55, 900, -50, 0],
      ['9:31', Number.NaN, Number.NaN, Number.NaN, Number.NaN, STOCK_STATUSES.indexOf('Halted')],
    ]);
    fixture.close();
  });

  test('counts announcements of the session, since the previous close', () => {
    const fixture = open();
    const announcement = (time: number, isPriceSensitive: boolean) => ({
      headline: 'Quarterly',
      url: null,
      announcementTypes: [],
      isPriceSensitive,
      time: new Date(time).toISOString(),
    });
    const news = (date: string, list: NewsDay['announcements']): Record<string, NewsDay> => ({
      [date]: {
        headline: null,
        summary: null,
        summary_generated_at: null,
        alerted: false,
        announcements: list,
      },
    });
    fixture.send(ABC);
    fixture.minutes(1);
    fixture.services.market.setNews('ABC', {
      sensitiveAnnouncements: null,
      news: {
        ...news('2026-11-17', {
          a: announcement(at(15, 0, '2026-11-17'), true),
          b: announcement(at(17, 0, '2026-11-17'), false),
        }),
        ...news(DATE, { c: announcement(at(11, 0), true) }),
      },
    });
    fixture.tick.run();
    fixture.minutes(2);
    expect(fixture.rowsOf('ABC', ['news', 'sensitive'])).toEqual([['11:00', 2, 1]]);
    fixture.close();
  });

  test('has a gap, without rows, while the source is silent or was not seen', () => {
    const fixture = open();
    fixture.send(ABC);
    fixture.minutes(2);
    fixture.source.setHealth({ healthy: false });
    fixture.minutes(3, { last: 0.6, high: 0.6, volume: 2000 });
    fixture.source.setHealth({ healthy: true });
    fixture.minutes(2);
    expect(fixture.gaps()).toEqual([
      { from: 420, until: 660 },
      { from: 661, until: 664 },
    ]);
    // The first minute after the gap has the present figures.
    expect(fixture.rowsOf('ABC', ['last', 'volume'])).toEqual([
      ['11:00', 0.51, 1000],
      ['11:04', 0.6, 2000],
    ]);
    fixture.close();
  });

  test('continues the file after a restart, also if the last part was cut off', () => {
    const first = open();
    first.send(ABC);
    first.minutes(1);
    first.send({ code: 'ABC', last: 0.53, high: 0.53, volume: 1500 });
    first.minutes(2);
    const { files } = first;
    const file = files.read('hand', DATE) ?? new Uint8Array();
    files.write('hand', DATE, 0, file.subarray(0, file.length - 3));
    first.close();
    const second = open({ files, start: at(11, 10) + 20_000 });
    second.send({ ...ABC, last: 0.6, high: 0.6, volume: 9000 });
    second.minutes(1);
    second.send({ code: 'ABC', last: 0.61, high: 0.61, volume: 9100 });
    second.minutes(1);
    expect(second.rowsOf('ABC', ['last', 'volume'])).toEqual([
      ['11:00', 0.53, 1500],
      ['11:11', 0.61, 9100],
    ]);
    expect(second.gaps()).toEqual([
      { from: 420, until: 660 },
      { from: 661, until: 671 },
    ]);
    second.close();
  });

  test('drops the minutes after a jump back', () => {
    const fixture = open();
    fixture.send(ABC);
    fixture.minutes(10, { volume: null });
    fixture.clock.set(at(11, 4) + 1000);
    fixture.source.apply([{ ...ABC, volume: 1200 }]);
    fixture.tick.run();
    expect(coverageOf(fixture.recorded()).covered).toEqual([{ from: 660, until: 664 }]);
    fixture.minutes(2);
    expect(coverageOf(fixture.recorded()).covered).toEqual([
      { from: 660, until: 664 },
      { from: 665, until: 666 },
    ]);
    fixture.close();
  });

  test('loses no minute while the disk is full for a while, and notes it once', () => {
    const files = historyInMemory();
    let isFull = false;
    const fixture = open({
      files: {
        ...files,
        write(...args) {
          if (isFull) throw Object.assign(new Error('No space left'), { code: 'ENOSPC' });
          files.write(...args);
        },
      },
    });
    fixture.send(ABC);
    fixture.minutes(2);
    isFull = true;
    fixture.minutes(5);
    expect(coverageOf(fixture.recorded()).covered).toEqual([{ from: 660, until: 661 }]);
    isFull = false;
    fixture.minutes(1);
    expect(coverageOf(fixture.recorded()).covered).toEqual([{ from: 660, until: 667 }]);
    expect(fixture.lines.filter(({ message }) => message.includes('session history'))).toHaveLength(1);
    fixture.close();
  });

  test('begins another file at the next session, seen from its beginning', () => {
    const fixture = open({ start: at(16, 20) });
    fixture.send({ ...ABC, status: 'Post Close' });
    fixture.minutes(3);
    fixture.clock.set(at(7, 0, '2026-11-19'));
    fixture.send({ ...ABC, status: 'Pre Open' });
    fixture.tick.run();
    fixture.minutes(1);
    expect(fixture.gaps('2026-11-19')).toEqual([]);
    expect(fixture.rowsOf('ABC', ['status'], '2026-11-19')).toEqual([['7:00', 0]]);
    expect(fixture.services.sessions.dates()).toEqual([DATE, '2026-11-19']);
    fixture.close();
  });

  test('keeps as many past sessions as configured, and the running one', () => {
    const files = historyInMemory();
    for (const day of ['11', '12', '13', '16', '17', '18'])
      files.write('hand', `2026-11-${day}`, 0, new Uint8Array(1));
    const fixture = open({ files, env: { BELLBIRD_HISTORY_SESSIONS: '3' } });
    expect(fixture.parts.sessions.prune()).toEqual({ removed: 2, hasMore: false });
    expect(files.dates('hand')).toEqual([DATE, '2026-11-17', '2026-11-16', '2026-11-13']);
    fixture.close();
  });

  test('knows every column', () => {
    const fixture = open();
    fixture.send({ ...ABC, relativeVolume: 1.234, marketCap: 5e7 });
    fixture.minutes(2);
    const [row = []] = fixture.rowsOf('ABC', SESSION_COLUMNS);
    expect(row.slice(5, 9)).toEqual([1000, 512.3, 1.23, 5e7]);
    fixture.close();
  });
});

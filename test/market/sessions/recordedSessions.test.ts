import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, type LogLine } from '#lib/log.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { MinuteBar } from '#market/bars/rules/bars.ts';
import { openSessions } from '#market/sessions/files.ts';
import { recordedSessions } from '#market/sessions/fromRecording.ts';
import { Exchange } from '#sources/quotes/simulator/exchange.ts';
import { createListings } from '#sources/quotes/simulator/listings.ts';
import { recordFile } from '#support/recordedFile.ts';
import { tempFolders } from '#support/tempFolder.ts';

const tempFolder = tempFolders();
const DATE = '2026-11-18';
const CODES = new Set(['BHP', 'CBA', 'FMG']);

test('a recording of the same source fills a missing session; others and damaged ones are skipped', async () => {
  const [folder, recordings] = [tempFolder(), tempFolder()];
  const [from, until] = [fromSydney(DATE, 10, 0) - 1, fromSydney(DATE, 10, 21) - 1];
  await recordFile({ path: join(recordings, 'day.bellbird'), from, until, stepMs: 5000, codes: CODES });
  writeFileSync(join(recordings, 'damaged.bellbird'), 'no recording');
  const lines: LogLine[] = [];
  const made: string[] = [];
  const fill = (sourceName: string, dates = ['2026-11-17', DATE]) =>
    recordedSessions(
      { folder, source: 'hand', dates },
      { recordings, sourceName },
      createLog((line) => lines.push(line)),
      (date) => made.push(date),
    );
  fill('tradingview');
  fill('simulator', ['2026-11-17']);
  expect(made).toEqual([]);
  fill('simulator');
  expect(made).toEqual([DATE]);
  expect(lines.every(({ properties }) => properties['file'] === 'damaged.bellbird')).toBe(true);
  const session = openSessions(folder, 'hand').read(DATE);
  expect(session?.isComplete).toBe(true);
  expect(session?.gaps).toEqual([
    { from: 420, until: 600 },
    { from: 620, until: 982 },
  ]);
  const exchange = new Exchange({
    seed: 1,
    listings: createListings().filter(({ code }) => CODES.has(code)),
  });
  const codes: string[] = [];
  for (const stock of session?.stocks() ?? []) {
    codes.push(stock.code);
    const bars = new Map<number, MinuteBar>();
    exchange.eachMinute(stock.code, DATE, (bar) => {
      bars.set((bar.time - fromSydney(DATE, 0, 0)) / 60_000, { ...bar });
    });
    const last = stock.column('last');
    for (let row = 0; row < stock.rows; row += 1) {
      const [minute = 0, price = Number.NaN] = [stock.minutes[row], last[row]];
      const bar = bars.get(minute);
      if (!Number.isNaN(price)) expect(bar && price >= bar.low && price <= bar.high).toBe(true);
    }
    expect(stock.rows).toBeGreaterThan(10);
  }
  expect(codes.toSorted()).toEqual(['BHP', 'CBA', 'FMG']);
});

import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromSydney } from '#lib/sydneyTime.ts';
import { columnsFor } from '#sources/quotes/tradingview/columns.ts';
import { readScan, type ScanBatch } from '#sources/quotes/tradingview/scan.ts';
import { sessionViewAt } from '#sources/quotes/tradingview/row.ts';
import { readRecordedScan, recordings } from '#support/recordedScan.ts';

const columns = columnsFor([], new Set());
const afterClose = fromSydney('2026-01-20', 17, 0);

/** The recorded day as the platform would answer it; rows dated by the day they were recorded. */
const recordedBody = (folder: string, date: string, asked: readonly string[]): string => {
  const rows = readRecordedScan(folder, date);
  const time = fromSydney(date, 10, 0) / 1000;
  const data = rows.map(({ symbol, cells }) => ({
    s: symbol,
    d: asked.map((column) => (column === 'time' ? time : (cells.get(column) ?? null))),
  }));
  return JSON.stringify({ totalCount: data.length, data });
};

const batchOf = (text: string, now = afterClose): ScanBatch => {
  const scan = readScan(text, columns, sessionViewAt(now));
  if (scan.kind !== 'batch') throw new Error(scan.reason);
  return scan;
};

/** An independent CSV reader: raw lines by symbol, split by regular expression at commas outside quotes. */
const rawFields = (folder: string, date: string): Map<string, Record<string, string>> => {
  const file = join(folder, 'tradingview', 'scan-daily-all', `${date}.csv.gz`);
  const text = new TextDecoder().decode(Bun.gunzipSync(readFileSync(file)));
  const [head = '', ...body] = text.trim().split('\n');
  const names = head.split(',');
  return new Map(
    body.map((line) => {
      const fields = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? [];
      const values = fields.map((field) =>
        field.replace(/,$/, '').replace(/^"|"$/g, '').replaceAll('""', '"'),
      );
      return [values[0] ?? '', Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))];
    }),
  );
};

/** Known facts about each set of recordings. */
const KNOWN = {
  whole: {
    days: {
      '2026-01-19': { rows: 2206, unique: 2072, stock: 1579 + 40, fund: 310 + 76 + 4, cdi: 63 },
      '2026-01-20': { rows: 2207, unique: 2081, stock: 1585 + 40, fund: 312 + 75 + 5, cdi: 64 },
    },
    traded: 1800,
    nulls: [348, 10, 6, 2],
    preset: 50,
  },
  excerpt: {
    days: {
      '2026-01-19': { rows: 90, unique: 85, stock: 62, fund: 19, cdi: 4 },
      '2026-01-20': { rows: 99, unique: 90, stock: 64, fund: 22, cdi: 4 },
    },
    traded: 70,
    nulls: [15, 3, 4, 2],
    preset: 8,
  },
};

describe.each(recordings())('a recorded scan: $name', ({ folder, isWhole }) => {
  const known = isWhole ? KNOWN.whole : KNOWN.excerpt;

  test('every value of every listing agrees with the independent reader', () => {
    const raw = rawFields(folder, '2026-01-20');
    const { updates } = batchOf(recordedBody(folder, '2026-01-20', columns));
    expect(updates.length).toBe(raw.size);
    const number = (text: string | undefined): number | null => (text ? Number.parseFloat(text) : null);
    for (const update of updates) {
      const fields = raw.get(`ASX:${update.code}`) ?? {};
      expect(update.last).toBe(number(fields['close']));
      expect(update.open).toBe(number(fields['open']));
      expect(update.high).toBe(number(fields['high']));
      expect(update.low).toBe(number(fields['low']));
      expect(update.volume).toBe(number(fields['volume']));
      expect(update.marketCap).toBe(number(fields['market_cap_basic']));
      expect(update.relativeVolume).toBe(number(fields['relative_volume_10d_calc']));
      expect(update.sector).toBe(fields['sector'] || null);
      expect(update.name).toBe((fields['description'] ?? '').trim());
      const percent = number(fields['change']);
      if (percent === null) expect(update.close).toBeNull();
      else {
        const implied = ((update.last ?? 0) / (update.close ?? 0) - 1) * 100;
        expect(implied).toBeCloseTo(percent, 6);
      }
    }
  });

  test('previous closes are the closes of the day before', () => {
    const dayBefore = batchOf(
      recordedBody(folder, '2026-01-19', columns),
      fromSydney('2026-01-19', 17, 0),
    ).updates;
    const before = new Map(dayBefore.map((update) => [update.code, update]));
    const { updates } = batchOf(recordedBody(folder, '2026-01-20', columns));
    // A stock that did not trade on the second day repeats its bar of the first.
    const traded = updates.filter(({ code, close, volume, last }) => {
      const old = before.get(code);
      return old !== undefined && close !== null && (old.volume !== volume || old.last !== last);
    });
    // The recorded close column truncates closes at half a step (0.0025).
    const off = traded.filter(
      ({ code, close }) => Math.abs((close ?? 0) - (before.get(code)?.last ?? 0)) > 0.00051,
    );
    expect(traded.length).toBeGreaterThan(known.traded);
    expect(off.map(({ code }) => code)).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { FakeTradingView } from '../support/fakeTradingView.ts';
import { type RecordedRow, largestRecordings, readRecordedScan } from '../support/recordedScan.ts';
import { numberOf, openRecordedStage, type RecordedStage, rounded } from '../support/recordedStage.ts';
import {
  expectQuiet,
  grid,
  shownNumber,
  shownRows,
  type Stage,
  until,
  type Visitor,
} from '../support/stage.ts';

const date = '2026-01-20';
const { folder, isWhole } = largestRecordings();

/** What a trader must see of one recorded listing, computed from the file alone. */
type Expected = {
  code: string;
  last: number;
  previousClose: number;
  changePercent: number;
  open: number;
  high: number;
  low: number;
  volume: number;
  value: number;
  marketCap: number | null;
};

/** Each listing once, the complete ones only: these tests compare values, not gaps. */
function readExpected(rows: readonly RecordedRow[]): Expected[] {
  const seen = new Map<string, Expected>();
  for (const row of rows) {
    const [last, open, high, low] = ['close', 'open', 'high', 'low'].map((name) => numberOf(row, name));
    const changeAbs = numberOf(row, 'change_abs');
    const code = row.symbol.replace(/^ASX:/, '');
    const volume = numberOf(row, 'volume');
    if (
      last == null ||
      open == null ||
      high == null ||
      low == null ||
      changeAbs === null ||
      volume === null
    ) {
      continue;
    }
    const previousClose = Math.round((last - changeAbs) * 10_000) / 10_000;
    seen.set(code, {
      code,
      last,
      open,
      high,
      low,
      previousClose,
      changePercent: ((last - previousClose) / previousClose) * 100,
      volume,
      value: numberOf(row, 'Value.Traded') ?? volume * last,
      marketCap: numberOf(row, 'market_cap_basic'),
    });
  }
  return [...seen.values()];
}

describe('the recorded market of one day, through the TradingView source', () => {
  let stage: Stage;
  let scanner: FakeTradingView;
  let expected: Expected[] = [];
  let problems: string[] = [];
  let close: RecordedStage['close'] | null = null;
  let visitor: Visitor;

  beforeAll(async () => {
    const rows = readRecordedScan(folder, date);
    expected = readExpected(rows);
    ({ stage, scanner, problems, close } = await openRecordedStage(rows, date));
    visitor = await stage.visit('/pre-market');
  });
  afterAll(() => close?.());

  /** Takes the one page to another scanner. */
  const show = (route: string) => visitor.page.evaluate((hash) => window.location.assign(hash), `#${route}`);

  const isLarge = ({ marketCap }: Expected): boolean => marketCap !== null && marketCap >= 1e9;
  // The recording has no session average, so that only the change makes a mover.
  const isMover = ({ last, previousClose, value }: Expected): boolean =>
    last >= previousClose && value >= 5000;
  const scanners = {
    '/intra-day-small': {
      title: 'Top Movers under $1',
      belongs: (stock: Expected) => stock.open < 1 && !isLarge(stock) && isMover(stock),
    },
    '/intra-day-mid-large': {
      title: 'Top Movers above $1',
      belongs: (stock: Expected) => stock.open >= 1 && !isLarge(stock) && isMover(stock),
    },
    '/intra-day-large-cap': {
      title: 'Top Movers Large Cap',
      belongs: (stock: Expected) => isLarge(stock) && isMover(stock),
    },
  };

  test('the strip names the delay, and before the open nothing is invented', async () => {
    const { page } = visitor;
    await page.getByText('Delayed 20 min').first().waitFor();
    await page.getByText('No results yet').first().waitFor();
    expectQuiet(stage, visitor);
  });

  for (const [route, { title, belongs }] of Object.entries(scanners)) {
    test(`${title} shows the listings and values of the file`, async () => {
      await show(route);
      const table = grid(visitor.page, title);
      await table.locator('tr[data-id]').first().waitFor();
      const members = new Map(expected.filter(belongs).map((stock) => [stock.code, stock]));
      expect(members.size).toBeGreaterThan(isWhole ? 50 : 10);
      await until(
        `${members.size} rows`,
        async () => (await table.getAttribute('aria-rowcount')) === String(members.size + 1),
      );
      const heading = table.getByRole('columnheader', { name: 'Change', exact: true });
      if ((await heading.getAttribute('aria-sort')) !== 'descending')
        await heading.getByRole('button').click();
      const best = [...members.values()].sort((a, b) => b.changePercent - a.changePercent);
      await until(`${best[0]?.code} on top`, async () => (await shownRows(table))[0]?.id === best[0]?.code);
      const rows = await shownRows(table);
      expect(rows.length).toBeGreaterThan(10);
      for (const { id, cells } of rows) {
        const stock = members.get(id);
        if (!stock) throw new Error(`${id} is shown and does not belong.`);
        const shown = {
          last: shownNumber(cells.Last),
          close: shownNumber(cells['P. Close']),
          open: shownNumber(cells.Open),
          high: shownNumber(cells.High),
          low: shownNumber(cells.Low),
          change: Math.abs(shownNumber(cells.Change) ?? Number.NaN),
          traded: shownNumber(cells['$ Traded']),
        };
        expect({ id, ...shown }).toEqual({
          id,
          last: rounded(stock.last, 3),
          close: rounded(stock.previousClose, 3),
          open: rounded(stock.open, 3),
          high: rounded(stock.high, 3),
          low: rounded(stock.low, 3),
          change: rounded(stock.changePercent, 1),
          traded: rounded(stock.value, 0),
        });
      }
      expectQuiet(stage, visitor);
    });
  }

  test('Custom Scanner shows every listing that trades, the largest by value on top', async () => {
    await show('/custom-scanner');
    const table = grid(visitor.page, 'Custom Scanner');
    await table.getByRole('columnheader', { name: 'Value', exact: true }).getByRole('button').click();
    const largest = expected
      .toSorted((a, b) => b.value - a.value)
      .map(({ code, last, volume, value }) => [code, rounded(last, 3), volume, rounded(value, 0)]);
    const shown = async () =>
      (await shownRows(table)).map(({ id, cells }) => [
        id,
        shownNumber(cells.Price),
        shownNumber(cells.Volume),
        shownNumber(cells.Value),
      ]);
    // The whole market comes in parts: until then smaller ones stand among the largest.
    await until('the largest on top', async () => {
      const rows = await shown();
      return rows.length > 10 && Bun.deepEquals(rows, largest.slice(0, rows.length));
    }).catch(() => {
      // What differs is shown by the expectations below.
    });
    const rows = await shown();
    expect(rows.length).toBeGreaterThan(10);
    expect(rows).toEqual(largest.slice(0, rows.length));
    expectQuiet(stage, visitor);
  });

  test('a source that fails is shown as stale, and comes back', async () => {
    await show('/intra-day-large-cap');
    const { page } = visitor;
    const table = grid(page, 'Top Movers Large Cap');
    await table.locator('tr[data-id]').first().waitFor();
    scanner.setFault({ kind: 'status', status: 500 });
    await page.locator('.stale-strip').waitFor();
    expect(await table.locator('tr[data-id]').count()).toBeGreaterThan(0);
    scanner.setFault({ kind: 'none' });
    await page.locator('.stale-strip').waitFor({ state: 'detached' });
    expect(problems.splice(0).length).toBeGreaterThan(0);
    expectQuiet(stage, visitor);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { DEFAULT_MIN_VALUE } from '../../src/subjects/scanners/rules/filters.ts';
import { SCREENER_COLUMNS } from '../../src/sources/quotes/tradingview/columns.ts';
import { axe } from '../support/browser.ts';
import { addIndicator, button, chipNames, region, save } from '../support/configurator.ts';
import { EXCERPT, type RecordedRow, readRecordedScan } from '../support/recordedScan.ts';
import { numberOf, openRecordedStage, type RecordedStage, rounded } from '../support/recordedStage.ts';
import { expectQuiet, grid, shownNumber, shownRows, until } from '../support/stage.ts';

const date = '2026-01-20';

/** What the platform itself computed for one listing, as recorded. */
type Recorded = { rsi: number | null; sma: number | null };

/** Without the last digits of the platform's sums, in which equal averages differ. */
const settled = (row: RecordedRow, column: string): number | null => {
  const value = numberOf(row, column);
  return value === null ? null : rounded(value, 9);
};

/** Everything that passes the scanner's smallest traded value, by code. */
function readRecorded(rows: readonly RecordedRow[]): Map<string, Recorded> {
  const byCode = new Map<string, Recorded>();
  for (const row of rows) {
    const [last, volume] = [numberOf(row, 'close'), numberOf(row, 'volume')];
    const needed = ['open', 'high', 'low', 'change_abs'];
    if (last === null || volume === null || needed.some((column) => numberOf(row, column) === null)) continue;
    if (last * volume < DEFAULT_MIN_VALUE) continue;
    byCode.set(row.symbol.replace(/^ASX:/, ''), { rsi: settled(row, 'RSI'), sma: settled(row, 'SMA20') });
  }
  return byCode;
}

const shown = (value: number | null): number | null => (value === null ? null : rounded(value, 2));
/** Averages have the decimals of the prices that they are made of. */
const shownAverage = (value: number | null): number | null =>
  value === null ? null : rounded(value, Math.abs(value) < 1 ? 3 : 2);

describe('indicator columns of the recorded market, through the TradingView source', () => {
  let opened: RecordedStage;
  let recorded = new Map<string, Recorded>();

  beforeAll(async () => {
    const rows = readRecordedScan(EXCERPT.folder, date);
    recorded = readRecorded(rows);
    opened = await openRecordedStage(rows, date);
  });
  afterAll(() => opened?.close());

  /** What the newest poll asked for beyond what every poll does. */
  const asked = (): string[] => {
    const base = new Set<string>(SCREENER_COLUMNS);
    return (opened.scanner.requests.at(-1)?.columns ?? []).filter((column) => !base.has(column)).sort();
  };
  const choose = async (page: Page, search: string, timeframes: readonly string[]): Promise<void> => {
    await button(region(page, 'Custom Scanner'), 'Add Indicator').click();
    await page.getByRole('searchbox').waitFor();
    await addIndicator(page, search, timeframes);
    await button(page.getByRole('dialog'), 'Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const firstShown = async (page: Page, heading: string, direction: 'ascending' | 'descending') => {
    const table = grid(page, 'Custom Scanner');
    const header = table.getByRole('columnheader', { name: heading, exact: true });
    await until(`sorted ${direction} by ${heading}`, async () => {
      if ((await header.getAttribute('aria-sort')) === direction) return true;
      await header.getByRole('button').click();
      return false;
    });
    await page.mouse.move(5, 5);
    return table;
  };

  test('RSI and SMA by day: asked for once they are chosen, shown as recorded, and no longer asked for after', async () => {
    const { stage } = opened;
    const visitor = await stage.visit('/settings', { as: 'premium-columns' });
    const { page } = visitor;
    const editor = region(page, 'Custom Scanner');
    await editor.waitFor();
    expect(asked()).toEqual([]);

    await choose(page, 'Relative Strength Index', []);
    await choose(page, 'Simple Moving Average', []);
    await until(
      'both are chosen',
      async () => (await chipNames(editor)).slice(-2).join() === 'RSI(14) 1D,SMA(20) 1D',
    );
    expect(asked()).toEqual([]);
    await save(editor);
    await until('a poll asks for both', () => asked().join() === 'RSI,SMA20');

    await page.goto(`${stage.url}/#/custom-scanner`);
    const both = { rsi: 'RSI(14) 1D', sma: 'SMA(20) 1D' } as const;
    for (const key of ['rsi', 'sma'] as const) {
      for (const direction of ['descending', 'ascending'] as const) {
        const table = await firstShown(page, both[key], direction);
        const sign = direction === 'ascending' ? 1 : -1;
        const order = [...recorded]
          .filter(([, values]) => values[key] !== null)
          .sort(
            ([codeA, a], [codeB, b]) => sign * ((a[key] ?? 0) - (b[key] ?? 0)) || (codeA < codeB ? -1 : 1),
          );
        const listed = async () =>
          (await shownRows(table)).map(({ id, cells }) => ({
            id,
            rsi: shownNumber(cells[both.rsi]),
            sma: shownNumber(cells[both.sma]),
          }));
        const wanted = order.map(([id, { rsi, sma }]) => ({ id, rsi: shown(rsi), sma: shownAverage(sma) }));
        // The market and its values come in parts.
        await until(`${wanted[0]?.id} on top, and the others below it`, async () => {
          const rows = await listed();
          return rows.length > 10 && Bun.deepEquals(rows, wanted.slice(0, rows.length));
        }).catch(() => {
          // What differs is shown by the expectation below.
        });
        const rows = await listed();
        expect(rows.length).toBeGreaterThan(10);
        expect(rows).toEqual(wanted.slice(0, rows.length));
      }
    }
    // What the platform knows no value of shows a dash, never a nought.
    const unknown = [...recorded]
      .filter(([, { rsi, sma }]) => rsi === null && sma === null)
      .map(([id]) => id);
    expect(unknown.length).toBeGreaterThan(0);
    const filter = page.getByRole('searchbox').or(page.getByPlaceholder(/code/i)).first();
    await filter.fill(unknown[0] ?? '');
    const table = grid(page, 'Custom Scanner');
    await until('the listing without values, and dashes', async () => {
      const lonely = (await shownRows(table)).find(({ id }) => id === unknown[0]);
      return lonely?.cells[both.rsi] === '–' && lonely.cells[both.sma] === '–';
    });

    await page.goto(`${stage.url}/#/settings`);
    await editor.waitFor();
    await button(editor, 'Remove SMA(20) 1D').click();
    await button(editor, 'RSI(14) 1D').click();
    await save(editor);
    await until('nothing is asked for that nobody sees', () => asked().length === 0);
    await visitor.leave();
    expectQuiet(stage, visitor);
  }, 240_000);

  test('a column that the platform does not know costs its own values only, and the server says so', async () => {
    const { stage, scanner, problems } = opened;
    scanner.setFault({ kind: 'unknownColumn', columns: ['ADX|1W'], status: 400 });
    const visitor = await stage.visit('/settings', { as: 'premium-unknown' });
    const { page } = visitor;
    const editor = region(page, 'Custom Scanner');
    await editor.waitFor();
    await choose(page, 'Relative Strength Index', []);
    await choose(page, 'Average Directional Index', ['1W', '1D']);
    await until(
      'all are chosen',
      async () => (await chipNames(editor)).slice(-3).join() === 'RSI(14) 1D,ADX(14) 1D,ADX(14) 1W',
    );
    await save(editor);
    await until('the unknown column is left out', () => asked().join() === 'ADX,RSI');

    await page.goto(`${stage.url}/#/custom-scanner`);
    const table = await firstShown(page, 'RSI(14) 1D', 'descending');
    // The platform's values come in parts.
    await until('RSI has the values of the file, and the unknown column none', async () => {
      const rows = await shownRows(table);
      return (
        rows.some(({ cells }) => shownNumber(cells['RSI(14) 1D']) !== null) &&
        rows.every(
          ({ id, cells }) =>
            shownNumber(cells['RSI(14) 1D']) === shown(recorded.get(id)?.rsi ?? null) &&
            cells['ADX(14) 1W'] === '–',
        )
      );
    });
    expect(await axe(page)).toEqual([]);
    scanner.setFault({ kind: 'none' });
    expect(problems.splice(0).some((line) => line.includes('ADX|1W'))).toBe(true);
    await visitor.context.close();
    expectQuiet(stage, visitor);
  }, 240_000);
});

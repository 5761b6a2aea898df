import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { RecordedRow } from '../support/recordedScan.ts';
import { openRecordedStage, type RecordedStage } from '../support/recordedStage.ts';
import { expectQuiet, grid, picture, shownRows, type Stage } from '../support/stage.ts';

const FRIDAY = '2026-11-20';
const SATURDAY = '2026-11-21';

/** A listing as the platform holds it all weekend: Friday's figures, dated Friday. */
const listing = (code: string, last: number, change: number): RecordedRow => ({
  symbol: `ASX:${code}`,
  cells: new Map(
    Object.entries({
      name: code,
      description: `${code} Limited`,
      type: 'stock',
      typespecs: ['common'],
      close: last,
      open: last - change,
      high: Math.max(last, last - change),
      low: Math.min(last, last - change),
      volume: 100_000,
      change_abs: change,
      change: (change / (last - change)) * 100,
      market_cap_basic: 4e8,
    }),
  ),
});

describe('a Saturday', () => {
  let stage: Stage;
  let close: RecordedStage['close'] | null = null;
  beforeAll(async () => {
    const rows = [listing('UPA', 5.5, 0.5), listing('UPB', 2.2, 0.02), listing('DWN', 3, -0.3)];
    const barTimes = { kind: 'date', date: FRIDAY } as const;
    ({ stage, close } = await openRecordedStage(rows, SATURDAY, { barTimes, lagMs: null }));
  });
  afterAll(() => close?.());

  for (const theme of ['dark', 'light'] as const) {
    test(`shows Friday as it ended and says so, ${theme}`, async () => {
      const visitor = await stage.visit('/intra-day-mid-large');
      await visitor.page.evaluate((chosen) => {
        localStorage.setItem('bellbird.preferences', JSON.stringify({ theme: chosen }));
      }, theme);
      await visitor.page.reload();
      const table = grid(visitor.page, 'Top Movers above $1');
      await table.locator('tr[data-id]').first().waitFor();
      expect((await shownRows(table)).map(({ id, cells }) => [id, cells['P. Close']])).toEqual([
        ['UPA', '5.000'],
        ['UPB', '2.180'],
      ]);
      await visitor.page.getByText('Last session: Friday 20 November').waitFor();
      await picture(visitor.page, `weekend-${theme}`);
      await visitor.context.close();
      expectQuiet(stage, visitor);
    });
  }

  test.each([
    ['phone', 390],
    ['tablet', 700],
    ['laptop', 1000],
  ])('says so on a %s too, without widening the page', async (name, width) => {
    const viewport = { width, height: 844 };
    const visitor = await stage.visit('/intra-day-mid-large', { browser: { viewport } });
    const { page } = visitor;
    const notice = page.getByText('Last session: Friday 20 November');
    await notice.waitFor();
    const box = await notice.boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= viewport.width).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    await picture(page, `weekend-${name}`);
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});

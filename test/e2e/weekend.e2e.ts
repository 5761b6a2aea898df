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

  test('shows Friday as it ended and says so, in both themes and at every width without widening the page', async () => {
    const visitor = await stage.visit('/intra-day-mid-large');
    const { page } = visitor;
    const table = grid(page, 'Top Movers above $1');
    await table.locator('tr[data-id]').first().waitFor();
    expect((await shownRows(table)).map(({ id, cells }) => [id, cells['P. Close']])).toEqual([
      ['UPA', '5.000'],
      ['UPB', '2.180'],
    ]);
    const notice = page.getByText('Last session: Friday 20 November');
    await notice.waitFor();
    await picture(page, 'weekend-dark');
    await page.getByRole('button', { name: 'Switch to the light theme' }).click();
    await notice.waitFor();
    await picture(page, 'weekend-light');
    for (const [name, width] of [
      ['laptop', 1000],
      ['tablet', 700],
      ['phone', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await notice.waitFor();
      const box = await notice.boundingBox();
      const reaches = { left: box?.x ?? -1, right: (box?.x ?? 0) + (box?.width ?? Infinity) };
      expect(reaches.left).toBeGreaterThanOrEqual(0);
      expect(reaches.right).toBeLessThanOrEqual(width);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await picture(page, `weekend-${name}`);
    }
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});

import { afterAll, beforeAll, describe, test } from 'bun:test';
import { fits } from '../support/fingers.ts';
import type { RecordedRow } from '../support/recordedScan.ts';
import { openRecordedStage, type RecordedStage } from '../support/recordedStage.ts';
import { expectQuiet, grid, picture, shownRows, type Stage, until } from '../support/stage.ts';

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
    await until('it shows what rose on Friday', async () => {
      const shown = (await shownRows(table)).map(({ id, cells }) => `${id} ${cells['P. Close']}`);
      return shown.join() === 'UPA 5.000,UPB 2.180';
    });
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
      await until('the notice is on the screen', async () => {
        const box = await notice.boundingBox();
        return box !== null && box.x >= 0 && box.x + box.width <= width;
      });
      await fits(page, width);
      await picture(page, `weekend-${name}`);
    }
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});

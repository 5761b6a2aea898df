import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { fromSydney } from '../../src/market/rules/sydneyTime.ts';
import { previousTradingDay } from '../../src/market/rules/tradingDay.ts';
import type { TapeAnswer } from '../../src/subjects/scanners/answers/tape.ts';
import {
  TAPE_FIELDS,
  type TapeTable,
  tapeStock,
  tapeValues,
} from '../../src/subjects/scanners/rules/tape/tapeTables.ts';
import { TapeWriter } from '../../src/subjects/scanners/server/tape/pack/codec.ts';
import { tapeFiles } from '../../src/subjects/scanners/server/tape/files.ts';
import { tapeStore } from '../../src/subjects/scanners/server/tape/store.ts';
import { axe } from '../support/browser.ts';
import { expectQuiet, grid, picture, seedSession, shownRows, type Stage, until } from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

const TABLE: TapeTable = 'intraDaySmall';
const LIVE = 'Top Movers under $1';
const MINUTE = 60_000;

let stage: Stage;
let yesterday = '';
beforeAll(async () => {
  // What it adds is of yesterday, which no other story looks at.
  stage = await openTradingStage();
});
afterAll(() => stage?.close());

/** Puts twenty minutes of yesterday on the disk, as a run of yesterday would have left them: QQA rises a cent each. */
function rememberYesterday(today: string): void {
  yesterday = previousTradingDay(today);
  const first = fromSydney(yesterday, 10, 0) / MINUTE;
  const writer = new TapeWriter();
  for (let minute = 0; minute < 20; minute += 1) {
    const last = Math.round((0.5 + minute / 100) * 100) / 100;
    const percent = Math.round((last / 0.4 - 1) * 100_000) / 1000;
    const figures = { last, close: 0.4, open: 0.42, high: last, low: 0.4, vwap: 0.45, value: 90_000 };
    const values = TAPE_FIELDS[TABLE].map(
      (field) => ({ ...figures, change_percent: percent, relativeVolume: 1.5 })[field as 'last'] ?? null,
    );
    const still = tapeValues(TABLE, tapeStock(TABLE, { code: 'QQB', name: '', isFund: false }, [0.45, 0.44]));
    const rows = [
      { code: 'QQA', values },
      ...(minute < 5 ? [] : [{ code: 'QQB', values: still.with(6, 9000) }]),
    ];
    writer.add({ minute: first + minute, tables: new Map([[TABLE, rows]]) });
  }
  tapeStore(tapeFiles(join(stage.bellbird.dataDir, 'tape')), 'simulator').save(yesterday, {
    ...{ first, until: first + 20, goesOnFrom: null },
    minutes: Bun.zstdCompressSync(writer.written()),
  });
}

/** The day that the tape of the running market is of: the simulator's may be tomorrow. */
async function marketDate(): Promise<string> {
  const { accessToken } = await seedSession(stage.url, 'premium');
  const answer = await fetch(`${stage.url}/api/data/tape?table=${TABLE}`, {
    headers: { authorization: accessToken },
  });
  return ((await answer.json()) as TapeAnswer).date;
}

describe('the tape', () => {
  test('yesterday’s 10:07 in two clicks, minute by minute from there, and back to now', async () => {
    const visitor = await stage.visit('/intra-day-small');
    const { page } = visitor;
    await grid(page, LIVE).locator('tr[data-id]').first().waitFor();
    rememberYesterday(await marketDate());

    await page.getByRole('button', { name: 'Tape' }).click();
    const sliders = page.getByRole('slider', { name: /^Show the scanner as it stood/ });
    await until('today and yesterday have a line', async () => (await sliders.count()) === 2);
    const box = await sliders.last().boundingBox();
    if (!box) throw new Error('The line has no place on the page.');
    // The line runs from 07:00 to 16:22; a thumb's half stands out on either side.
    const minutes = Number(await sliders.last().getAttribute('max'));
    const place = { x: 7 + ((box.width - 14) * 187) / minutes, y: box.height / 2 };
    await sliders.last().click({ position: place });
    const banner = page.getByRole('status').filter({ hasText: 'As it stood at' });
    await banner.filter({ hasText: '10:07' }).waitFor();
    const past = grid(page, `${LIVE} at 10:07`);
    await until(
      'both stocks are there',
      async () => (await shownRows(past)).map(({ id }) => id).join() === 'QQA,QQB',
    );
    const [first] = await shownRows(past);
    expect(first?.cells).toMatchObject({ Last: '0.570', 'P. Close': '0.400', Pips: '+34' });
    await page.getByRole('grid', { name: LIVE, exact: true }).waitFor({ state: 'detached' });
    await picture(page, 'past');
    expect(await axe(page)).toEqual([]);
    const changes = page.getByRole('region', { name: /^Entered and left/ });
    await until('who entered is told', async () =>
      ((await changes.textContent()) ?? '').includes('10:05 QQB entered'),
    );

    await page.getByRole('button', { name: 'A minute later' }).click();
    await grid(page, `${LIVE} at 10:08`).waitFor();
    await sliders.last().focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft');
    await until(
      'only one is there yet at 10:04',
      async () => (await shownRows(grid(page, `${LIVE} at 10:04`))).length === 1,
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'phone');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await grid(page, LIVE).locator('tr[data-id]').first().waitFor();
    await banner.waitFor({ state: 'detached' });
    await picture(page, 'live');
    expectQuiet(stage, visitor);
  });
});

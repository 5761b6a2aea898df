import { afterAll, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fromSydney } from '#lib/sydneyTime.ts';
import { openRecording } from '#market/recording/open.ts';
import { createListings } from '#sources/quotes/simulator/listings.ts';
import { axe } from '../support/browser.ts';
import { temporaryFolder } from '../support/executable.ts';
import { recordFile } from '../support/recordedFile.ts';
import {
  grid,
  openFixture,
  openVisit,
  picture,
  type ShownRow,
  shownNumber,
  shownRows,
  until,
} from '../support/fixture.ts';

const DATE = '2026-01-19';
const TITLE = 'Top Movers above $1';
const AT = fromSydney(DATE, 10, 7);

const folder = await temporaryFolder();
const path = join(folder, 'morning.bellbird');
const from = fromSydney(DATE, 9, 55);
// One stock in eight is enough, and two minutes after the chosen moment play quickly.
const codes = new Set(createListings().flatMap(({ code }, at) => (at % 8 === 0 ? [code] : [])));
await recordFile({ path, codes, from, until: fromSydney(DATE, 10, 10), stepMs: 10_000 });
const opening = openFixture({ BELLBIRD_FEED: 'replay', BELLBIRD_REPLAY_FILE: path });
const { page } = await openVisit(opening, '/intra-day-mid-large');
afterAll(() => rm(folder, { recursive: true, force: true }));

const slider = () => page.getByRole('slider', { name: 'Time of the recording' });

/** Moves the slider as a user would and releases it there. */
const choose = (time: number) => slider().fill(String(time));

const speed = (times: string) => page.getByRole('combobox', { name: 'Speed' }).selectOption(times);

/** The values of each stock in the file at 10:07. */
function recordedPrices(): ReadonlyMap<string, number | null> {
  const recording = openRecording(path);
  try {
    return new Map(recording.baseAt(AT).stocks.map(({ code, last }) => [code, last]));
  } finally {
    recording.close();
  }
}

test('a recorded morning is paused and moved to 10:07, with the prices of the file', async () => {
  await page.getByText('Replay of 19 January 2026').first().waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await choose(AT);
  await page.getByText('10:07 Sydney').waitFor();
  await until(
    'the slider shows the time',
    async () => (await slider().getAttribute('aria-valuetext')) === '10:07 Sydney time, Open',
  );
  const table = grid(page, TITLE);
  const recorded = recordedPrices();
  let rows: ShownRow[] = [];
  // Rows of the previous moment stay until those of this one arrive, in parts.
  await until('the prices match the file', async () => {
    rows = await shownRows(table);
    return (
      rows.length > 5 &&
      rows.every(({ id, cells }) => shownNumber(cells.Price ?? cells.Last) === recorded.get(id))
    );
  });
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  await picture(page, 'replay');

  // Paused: nothing moves, and nothing is marked as stale.
  const before = JSON.stringify(rows);
  const faster = page.waitForResponse('**/api/replay/speed');
  await speed('60');
  await faster;
  expect(JSON.stringify(await shownRows(table))).toBe(before);

  await slider().press('ArrowRight');
  await page.getByText('10:08 Sydney').waitFor();
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByText('The recording ends here').waitFor();
  await page.getByText('10:10 Sydney').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

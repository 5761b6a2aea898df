import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fromSydney } from '#lib/sydneyTime.ts';
import { nextTradingDay } from '#market/rules/tradingDay.ts';
import { openDb } from '#platform/db/open.ts';
import { ABOVE, createOddsApp, risingStock } from '../../../support/oddsApp.ts';
import { storeCopies } from '../../../support/storedSessions.ts';
import { createFakeClock, START } from '../../../support/testApp.ts';

const KILLS = 8;
/** Sessions from the day after the odds are saved. */
const DATES: string[] = [];
for (let date = nextTradingDay('2026-11-18'); DATES.length < 30; date = nextTradingDay(date))
  DATES.push(date);
const NOW = fromSydney(DATES.at(-1) ?? '', 20, 0);

const first = createOddsApp();
const { dataDir } = first;
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const path = join(dataDir, 'bellbird.db');

/** Collects in a process, which is killed after a time, ms. @returns whether it finished before */
async function collect(killAfter: number | null): Promise<boolean> {
  const runner = join(import.meta.dir, '../../../support/oddsRunner.ts');
  const child = Bun.spawn([process.execPath, runner, dataDir, String(NOW)], { stdout: 'pipe' });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += Buffer.from(chunk).toString();
    if (killAfter !== null && printed.includes('collecting'))
      setTimeout(() => child.kill('SIGKILL'), killAfter);
  }
  await child.exited;
  return printed.includes('collected');
}

/** Stored sessions and entries of each saved odds. */
function stored(): { days: number; entries: number }[] {
  const { db } = openDb({ path, copyFolder: null, now: NOW });
  const rows = db.$client
    .query<{ days: number; entries: number }, []>(
      'SELECT count(date) AS days, coalesce(sum(entry_count), 0) AS entries FROM odds_saved LEFT JOIN odds_days ON saved_id = id GROUP BY id',
    )
    .all();
  db.$client.close();
  return rows;
}

test('a kill during the collection stores no part of it, and the next start completes it', async () => {
  const { folder, source } = first.services.sessions;
  first.close();
  storeCopies(
    folder,
    source,
    { stocks: Array.from({ length: 60 }, (_, index) => risingStock(`S${index}`)) },
    DATES,
  );
  const { db } = openDb({ path, copyFolder: null, now: START });
  const app = createOddsApp({ dataDir, db, clock: createFakeClock(START) });
  for (let count = 0; count < 3; count += 1) {
    await app.request('POST', '/api/odds/saved', { as: 'free', body: { scan: ABOVE, name: `${count}` } });
  }
  app.close();
  db.$client.close();
  const whole = { days: 30, entries: 30 * 60 };
  for (let kill = 0; kill < KILLS; kill += 1) {
    await collect(kill * 120);
    for (const one of stored()) expect([{ days: 0, entries: 0 }, whole]).toContainEqual(one);
  }
  expect(await collect(null)).toBe(true);
  expect(stored()).toEqual([whole, whole, whole]);
}, 120_000);

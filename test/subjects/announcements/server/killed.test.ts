import { expect, test } from 'bun:test';
import type { Db } from '../../../../src/platform/db/open.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import { Intake } from '../../../../src/subjects/announcements/server/intake.ts';
import { Recent } from '../../../../src/subjects/announcements/server/recent.ts';
import { AnnouncementStore } from '../../../../src/subjects/announcements/server/store.ts';
import { createHttpClient } from '../../../../src/lib/httpClient/client.ts';
import { createLog } from '../../../../src/lib/log.ts';
import type { Scheduler } from '../../../../src/lib/scheduler.ts';
import { AsxAnnouncements } from '../../../../src/sources/announcements/asx/index.ts';
import { anItem } from '../../../support/asxStage.ts';
import { type FakeAsx, startFakeAsx } from '../../../support/fakeAsx.ts';
import { createHandScheduler } from '../../../support/handScheduler.ts';
import { createPollPasser } from '../../../support/passPolls.ts';

/** 11:00 in Sydney on a trading day. */
const START = Date.parse('2026-11-04T00:00:00Z');

/** A run of the server's part that reads the exchange's list; the database outlives it. */
function startRun(db: Db, fake: FakeAsx, hand: ReturnType<typeof createHandScheduler>) {
  const log = createLog(() => {});
  const source = new AsxAnnouncements({
    ...{ url: fake.url, wall: hand, log, schedule: hand.schedule, random: () => 0.5 },
    http: createHttpClient({ clock: hand, schedule: hand.schedule }),
  });
  const shown: string[] = [];
  const store = new AnnouncementStore(db, 'asx');
  const recent = new Recent();
  const touch = (code: string): void => void shown.push(code);
  let isKilled = false;
  const schedule: Scheduler = (ms, work) => hand.schedule(ms, () => (isKilled ? undefined : work()));
  const intake = new Intake({ store, recent, touch, now: hand.now, log, later: setImmediate, schedule });
  const kill = async (): Promise<void> => {
    isKilled = true;
    await source.stop();
  };
  return { source, intake, shown, kill, ...createPollPasser(hand, [source]) };
}

test('killed while announcements are held, none is lost, none is kept twice, and one that an alert saw is not new again', async () => {
  const hand = createHandScheduler(START);
  const fake = startFakeAsx({ items: [anItem('2026-11-03T23:30:00.000Z')], now: hand.now });
  const db = openMemoryDb();
  const count = (): number =>
    db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM announcements').get()?.n ?? 0;
  const first = startRun(db, fake, hand);
  await first.source.start(first.intake);
  await first.settled();
  fake.add(anItem('2026-11-04T00:00:05.000Z', { symbol: 'RIO' }));
  fake.add(anItem('2026-11-04T00:00:05.000Z', { symbol: 'CSL', isPriceSensitive: true }));
  await first.pass(60_000);
  expect(first.shown.sort()).toEqual(['BHP', 'CSL', 'RIO']);
  expect(count()).toBe(0);
  // As before an alert's write.
  first.intake.note();
  // What it holds is gone with it.
  await first.kill();

  const second = startRun(db, fake, hand);
  expect(second.intake.keptSince(0)).toHaveLength(1);
  await second.source.start(second.intake);
  await second.settled();
  await second.pass(11 * 60_000);
  expect(count()).toBe(3);
  // Where nothing was written that follows from it, it is as new as it was.
  fake.add(anItem('2026-11-04T00:11:30.000Z', { symbol: 'NAB', isPriceSensitive: true }));
  await second.pass(60_000);
  expect(second.shown).toContain('NAB');
  await second.kill();

  const third = startRun(db, fake, hand);
  expect(third.intake.keptSince(0)).toHaveLength(3);
  await third.source.start(third.intake);
  await third.settled();
  await third.pass(11 * 60_000);
  expect(third.shown.filter((code) => code === 'NAB')).toHaveLength(1);
  await third.source.stop();
  await fake.stop();
  db.$client.close();
});

import { afterEach, expect, test } from 'bun:test';
import { openMemoryDb } from '#support/memoryDb.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { addAlert, alertsOf } from '#support/alertsApp.ts';
import { type AnnouncementFixture, openAnnouncements } from '#support/announcementFixture.ts';
import { aRelease } from '#support/handAnnouncements.ts';
import { createFakeClock } from '#support/testApp.ts';
import { allOf, field, is } from '#support/conditions.ts';

const DATE = '2026-11-18';
const ANNOUNCED = is(field('sensitive_today'), '==', 1);
const sensitive = (id: string, hour: number, minute = 0) =>
  aRelease(id, { isPriceSensitive: true, time: fromSydney(DATE, hour, minute) });

let fixture: AnnouncementFixture;
afterEach(() => fixture.close());

const open = (hour: number, db = openMemoryDb()) => {
  fixture = openAnnouncements({ clock: createFakeClock(fromSydney(DATE, hour, 0)), db });
  fixture.source.apply([
    { code: 'BHP', name: 'BHP', close: 40, match_price: 41, match_vol: 100 },
    { code: 'RIO', name: 'RIO', close: 40, ...(hour >= 10 && { last: 41 }) },
  ]);
  fixture.tick.run();
};
const fired = async () => (await alertsOf(fixture))[0]?.last_triggered_at ?? null;

test('an alert on a price-sensitive announcement today fires before the open, one tick after the announcement, with its values', async () => {
  open(9);
  await addAlert(fixture, { logic_json: allOf(ANNOUNCED) });
  fixture.news.apply([aRelease('routine', { time: fromSydney(DATE, 8, 0) })]);
  fixture.tick.run();
  expect(await fired()).toBeNull();
  fixture.news.apply([sensitive('a', 8, 59)]);
  fixture.tick.run();
  expect(await fired()).not.toBeNull();
  const [row] = fixture.db.$client.query<{ seen: string }, []>('SELECT seen FROM alert_triggers').all();
  expect(JSON.parse(row?.seen ?? 'null')).toEqual([
    expect.objectContaining({ left: { text: 'Price-Sensitive Announcement Today', value: 1 } }),
  ]);
});

test('an alert on a price-sensitive announcement today does not fire for known announcements after a restart', async () => {
  const db = openMemoryDb();
  open(11, db);
  await addAlert(fixture, { symbol: 'RIO', logic_json: allOf(ANNOUNCED) });
  fixture.news.apply([{ ...sensitive('a', 10), code: 'RIO' }]);
  fixture.tick.run();
  fixture.parts.alerts.stop();
  fixture.close();
  open(11, db);
  fixture.clock.advance(600_000);
  fixture.source.apply([{ code: 'RIO', last: 42 }]);
  fixture.tick.run();
  expect(db.$client.query('SELECT id FROM alert_triggers').all()).toHaveLength(1);
});

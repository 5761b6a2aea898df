import { afterEach, expect, test } from 'bun:test';
import { openMemoryDb } from '#support/memoryDb.ts';
import { MINUTE_MS } from '#lib/units.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { Release } from '#market/sources/announcements.ts';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { outbox, scanAlertTriggers } from '#src/tables/alertSchema.ts';
import { linkChat } from '#support/alertsApp.ts';
import { type AnnouncementFixture, openAnnouncements } from '#support/announcementFixture.ts';
import { aRelease } from '#support/handAnnouncements.ts';
import { createFakeClock, type FakeClock } from '#support/testApp.ts';

const DATE = '2026-11-18';
const CODES = ['BHP', 'CBA', 'RIO'];

let fixture: AnnouncementFixture;
afterEach(() => fixture.close());

function open(db = openMemoryDb(), clock: FakeClock = createFakeClock(fromSydney(DATE, 8, 0))): void {
  fixture = openAnnouncements({ clock, db });
  fixture.parts.alerts.start();
  fixture.list(...CODES);
}

/** Ends the server abruptly, as kill -9 does, and starts another one on the same database. */
function kill(): void {
  const { db, clock } = fixture;
  open(db, clock);
}

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await fixture.request(method, `/api${path}`, {
    as: 'premium',
    ...(body === undefined ? {} : { body }),
  });
  expect(answer).toMatchObject({ status: 200 });
  return answer.json as ScanAlertView;
};

const alert = (scan: object = {}, change: object = {}) =>
  ask('POST', '/scan-alerts', {
    scan: { type: 'announcements', filters: { minValue: 0, sensitiveOnly: true }, ...scan },
    destinations: { telegram: true },
    minute_maximum: 1,
    ...change,
  });

/** Releases announcements now, then runs a tick. */
function release(...releases: (Partial<Release> & { id: string })[]): void {
  const usual = { isPriceSensitive: true, time: fixture.clock.now() };
  fixture.news.apply(releases.map((one) => aRelease(one.id, { ...usual, ...one })));
  fixture.tick.run();
}

function later(minutes: number): void {
  fixture.clock.advance(minutes * MINUTE_MS);
  fixture.tick.run();
}

const titles = () =>
  fixture.db
    .select({ message: outbox.message })
    .from(outbox)
    .all()
    .map(({ message }) => 'title' in message && [message.title, ...message.lines.slice(0, -1)].join(' | '));

const reported = () =>
  fixture.db
    .select()
    .from(scanAlertTriggers)
    .all()
    .map(({ announcements }) => announcements?.map(({ id }) => id).join());

async function opened(scan?: object, change?: object): Promise<ScanAlertView> {
  open();
  await linkChat(fixture, '4711', 'premium');
  return alert(scan, change);
}

test('a price-sensitive announcement notifies with its headline, and one that is not does not', async () => {
  const made = await opened();
  expect(made).toMatchObject({
    scan: { type: 'announcements', kinds: [], words: [], filters: { sensitiveOnly: true } },
    in_scan: null,
    problem: null,
  });
  release({ id: 'plain', isPriceSensitive: false }, { id: 'halt', headline: 'Trading Halt' });
  expect(titles()).toEqual(['BHP 1.000 0.0% | Trading Halt | Price sensitive · 08:00 Sydney']);
  const { triggers } = (await ask('GET', `/scan-alerts/${made.id}/triggers`)) as never as {
    triggers: { announcements: object[] }[];
  };
  expect(triggers[0]).toMatchObject({
    symbol: 'BHP',
    announcements: [{ code: 'BHP', headline: 'Trading Halt', isPriceSensitive: true }],
  });
  await ask('DELETE', `/scan-alerts/${made.id}`);
  expect(titles()).toEqual([]);
});

test('types and words choose announcements, words as whole words in any case', async () => {
  await opened({ kinds: ['raising'], words: ['Gold', 'rare earth'] }, { minute_maximum: 20 });
  const placement = { announcementTypes: ['Placement'] };
  release(
    { id: 'type', headline: 'Gold price', announcementTypes: ['Progress Report'] },
    { id: 'part', headline: 'Goldfields placement', ...placement },
    { id: 'order', headline: 'Earth, rare placement', ...placement },
    { id: 'word', headline: 'Placement for GOLD (.*) project', ...placement },
    { id: 'phrase', headline: 'Rare-earth placement', ...placement },
  );
  expect(reported()).toEqual(['word', 'phrase']);
});

test('only stocks of the lists notify; a deleted list ends that, and the alert names it', async () => {
  open();
  const { id } = await ask('POST', '/watchlists', { name: 'Miners' });
  await ask('POST', '/watchlist', { symbol: 'RIO', list: id });
  const mine = { minValue: 0, lists: [{ id }] };
  const made = await alert({ filters: mine });
  release({ id: 'bhp' }, { id: 'rio', code: 'RIO' });
  expect(reported()).toEqual(['rio']);
  await ask('POST', '/watchlists', { name: 'Others' });
  await ask('DELETE', `/watchlists/${id}`);
  release({ id: 'again', code: 'RIO' });
  expect(reported()).toEqual(['rio']);
  expect(await ask('GET', '/scan-alerts')).toMatchObject({
    scan_alerts: [
      { problem: 'The alert filters by lists, and your list “Miners” was deleted. Choose another list.' },
    ],
  });
  expect(made.problem).toBeNull();
});

test('each announcement notifies a user once: with two alerts, corrected, repeated, and after a restart or kill', async () => {
  await opened({}, { minute_maximum: 20, day_maximum: 20 });
  await alert({ filters: { minValue: 0 } }, { minute_maximum: 20, day_maximum: 20 });
  release({ id: 'a', headline: 'Quarterly Report' });
  later(2);
  release({ id: 'a', headline: 'Quarterly Report (corrected)' });
  fixture.news.withdraw(['a']);
  release({ id: 'a_PS', headline: 'Quarterly report' });
  expect(reported()).toEqual(['a']);
  kill();
  fixture.news.apply([
    aRelease('a_PS', { isPriceSensitive: true, headline: 'Quarterly report', time: fixture.clock.now() }),
  ]);
  release({ id: 'b' });
  later(20);
  expect(reported()).toEqual(['a', 'b']);
  release({ id: 'second', headline: 'Quarterly Report' });
  expect(reported()).toEqual(['a', 'b', 'second']);
  fixture.parts.alerts.stop();
  kill();
  later(1);
  expect(reported()).toEqual(['a', 'b', 'second']);
});

test('announcements released while the server was down notify when it returns, unless they are older than the alert', async () => {
  open();
  release({ id: 'before' });
  later(5);
  await alert();
  later(1);
  const { db, clock } = fixture;
  clock.advance(30 * MINUTE_MS);
  open(db, clock);
  release(
    { id: 'missed', time: clock.now() - 20 * MINUTE_MS },
    { id: 'before', time: clock.now() - 36 * MINUTE_MS },
  );
  expect(reported()).toEqual(['missed']);
});

test('the first alert after a restart begins with the next announcement', async () => {
  const { id } = await opened();
  const { id: userId } = await fixture.user('premium');
  await ask('DELETE', `/scan-alerts/${id}`);
  later(5);
  release({ id: 'before' });
  later(5);
  kill();
  fixture.parts.alerts.service.scanAlerts.create(userId, { scan: { type: 'announcements' } });
  fixture.tick.run();
  expect(reported()).toEqual([]);
  release({ id: 'after' });
  expect(reported()).toEqual(['after']);
});

test('an announcement that was stored just before a kill notifies after it', async () => {
  await opened();
  const time = fixture.clock.now();
  // A large batch is stored immediately, before the tick in which alerts see them.
  fixture.news.apply(
    Array.from({ length: 30 }, (_, index) => aRelease(`n${index}`, { time, isPriceSensitive: index === 7 })),
  );
  kill();
  fixture.tick.run();
  expect(reported()).toEqual(['n7']);
});

test('a burst is one immediate message with a count, then one per minute until a minute has none', async () => {
  await opened({}, { day_maximum: 20 });
  const some = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${name}${index}`, code: CODES[index % 3] ?? 'BHP' }));
  release(...some('a', 40));
  expect(titles()).toHaveLength(1);
  expect(titles()[0]).toStartWith('40 announcements of 3 stocks | BHP: Headline of a0 | ');
  expect(titles()[0]).toEndWith('and 32 more | 08:00 Sydney');
  release(...some('b', 3));
  release({ id: 'c' });
  expect(titles()).toHaveLength(1);
  later(1);
  expect(titles()[1]).toStartWith('4 announcements of 3 stocks');
  release({ id: 'd' });
  expect(titles()).toHaveLength(2);
  later(1);
  expect(titles()[2]).toStartWith('BHP | Headline of d');
  later(1);
  release({ id: 'e' });
  expect(titles()).toHaveLength(4);
});

test('a withdrawn announcement leaves the message that is not sent yet, also after a kill', async () => {
  await opened();
  release({ id: 'a' });
  release({ id: 'b', code: 'CBA' }, { id: 'c', code: 'RIO' });
  release({ id: 'd', code: 'CBA' });
  fixture.news.withdraw(['b']);
  fixture.tick.run();
  kill();
  later(1);
  expect(titles().at(-1)).toStartWith('2 announcements of 2 stocks | ');
  expect(reported()).toEqual(['a', 'c,d']);
});

test('a message whose announcements were all withdrawn is not sent', async () => {
  await opened();
  release({ id: 'a' });
  release({ id: 'b', code: 'CBA' });
  fixture.news.withdraw(['b']);
  later(1);
  expect(reported()).toEqual(['a']);
  expect(titles()).toHaveLength(1);
});

test('a muted stock, and a stock above its maximum of the day, do not notify', async () => {
  const { id } = await opened({}, { day_maximum: 1, minute_maximum: 20 });
  await ask('POST', `/scan-alerts/${id}/mutes`, { symbol: 'RIO', muted: true });
  release({ id: 'a' }, { id: 'r', code: 'RIO' });
  later(60);
  release({ id: 'b' }, { id: 'c', code: 'CBA' });
  expect(reported()).toEqual(['a', 'c']);
  kill();
  release({ id: 'd' });
  expect(reported()).toEqual(['a', 'c']);
});

test('a snoozed alert lets another one report; an edited or enabled alert begins with the next announcement', async () => {
  const first = await opened({}, { minute_maximum: 20 });
  const snoozed_until = new Date(fixture.clock.now() + 60 * MINUTE_MS).toISOString();
  await ask('PATCH', `/scan-alerts/${first.id}`, { snoozed_until });
  const { id } = await alert({}, { minute_maximum: 20 });
  release({ id: 'a' });
  expect(fixture.db.select().from(scanAlertTriggers).all()).toMatchObject([
    { scanAlertId: id, silent: false },
  ]);
  await ask('PATCH', `/scan-alerts/${id}`, { active: false });
  await ask('PATCH', `/scan-alerts/${first.id}`, { snoozed_until: null });
  release({ id: 'b', isPriceSensitive: false });
  later(3);
  await ask('PATCH', `/scan-alerts/${first.id}`, { scan: { type: 'announcements' } });
  fixture.tick.run();
  kill();
  release({ id: 'c', isPriceSensitive: false });
  expect(reported()).toEqual(['a', 'c']);
});

test('an announcement dated ahead notifies at its time', async () => {
  await opened();
  release({ id: 'ahead', time: fixture.clock.now() + 15 * MINUTE_MS });
  expect(reported()).toEqual([]);
  later(5);
  expect(reported()).toEqual(['ahead']);
});

test.each([
  [{ kinds: ['halt', 'nonsense'] }, 'scan.kinds'],
  [{ kinds: 'halt' }, 'scan.kinds'],
  [{ words: ['.*'] }, 'scan.words'],
  [{ words: ['x'.repeat(41)] }, 'scan.words'],
  [{ words: Array.from({ length: 11 }, (_, index) => `w${index}`) }, 'scan.words'],
  [{ filters: { minValue: 5000 } }, 'scan.filters'],
  [{ filters: { minValue: 0, lists: [{ id: 99 }] } }, 'scan.filters.lists'],
])('an alert on announcements is refused with %p', async (scan, field) => {
  open();
  const body = { scan: { type: 'announcements', ...scan } };
  const answer = await fixture.request('POST', '/api/scan-alerts', { as: 'premium', body });
  expect(answer).toMatchObject({ status: 400, json: { field } });
});

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openMemoryDb } from '#support/memoryDb.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { type AnnouncementFixture, openAnnouncements } from '#support/announcementFixture.ts';
import { aRelease, createHandAnnouncements } from '#support/handAnnouncements.ts';
import { createFakeClock } from '#support/testApp.ts';

const TODAY = '2026-11-18';
const YESTERDAY = '2026-11-17';
const HOUR = 3_600_000;

let fixture: AnnouncementFixture;
beforeEach(() => {
  fixture = openAnnouncements();
  fixture.list('BHP');
});
afterEach(() => fixture.close());

const dayOf = (code: string, date = TODAY) => fixture.stock(code).news?.[date];
const idsOf = (code: string, date = TODAY) => Object.keys(dayOf(code, date)?.announcements ?? {});

describe('a new announcement', () => {
  test('is in the record of the stock with the next change set', () => {
    fixture.list('RIO');
    fixture.news.apply([aRelease('a'), aRelease('b', { isPriceSensitive: true, code: 'RIO' })]);
    const changes = fixture.tick.run();
    expect(Object.keys(changes?.upsert ?? {}).sort()).toEqual(['BHP', 'RIO']);
    expect(changes?.upsert['BHP']).toEqual({
      news: {
        [TODAY]: {
          headline: 'Headline of a',
          alerted: false,
          announcements: {
            a: {
              headline: 'Headline of a',
              url: 'https://example.test/a',
              announcementTypes: ['Progress Report'],
              isPriceSensitive: false,
              time: '2026-11-17T23:30:00.000Z',
            },
          },
        },
      },
      sensitiveAnnouncements: 0,
    });
    expect(fixture.stock('RIO')).toMatchObject({
      sensitiveAnnouncements: 1,
      news: { [TODAY]: { alerted: true } },
    });
    expect(fixture.tick.run()).toBeNull();
  });

  test('does not refresh an old quote or trigger computation', () => {
    const quoted = fixture.parts.market.service.quoteTime('BHP');
    fixture.clock.advance(HOUR);
    const applied: string[][] = [];
    const observer = { name: 'test', removed: () => {}, beforeFlush: () => {} };
    fixture.parts.market.service.observe({ ...observer, applied: (codes) => void applied.push([...codes]) });
    fixture.news.apply([aRelease('a')]);
    fixture.tick.run();
    expect(idsOf('BHP')).toEqual(['a']);
    expect(fixture.parts.market.service.quoteTime('BHP')).toBe(quoted);
    expect(applied).toEqual([]);
  });

  test('of an unlisted stock waits for the listing, and is in the same change set', () => {
    fixture.list('RIO');
    fixture.news.apply([aRelease('a', { code: 'NEW' })]);
    expect(fixture.tick.run()).toBeNull();
    expect(fixture.parts.market.service.get('NEW')).toBeUndefined();
    fixture.source.apply([{ code: 'NEW', last: 1 }]);
    expect(fixture.tick.run()?.upsert['NEW']).toMatchObject({
      last: 1,
      news: { [TODAY]: { alerted: false } },
    });
  });

  test('among a thousand is delivered over several ticks, price-sensitive ones first, without loss', () => {
    const codes = Array.from({ length: 1000 }, (_, index) => `A${index}`);
    fixture.list(...codes);
    const releases = codes.map((code, index) =>
      aRelease(`n${index}`, { code, isPriceSensitive: index >= 970 }),
    );
    for (let from = 0; from < 1000; from += 100) fixture.news.apply(releases.slice(from, from + 100));
    const perTick: number[] = [];
    let firstSensitive = 0;
    for (let tick = 0; tick < 40; tick += 1) {
      const upsert = fixture.tick.run()?.upsert ?? {};
      if (tick === 0) {
        firstSensitive = Object.values(upsert).filter((one) => one.sensitiveAnnouncements === 1).length;
      }
      perTick.push(Object.keys(upsert).length);
    }
    expect(Math.max(...perTick)).toBeLessThanOrEqual(60);
    expect(firstSensitive).toBe(30);
    expect(perTick.reduce((sum, count) => sum + count, 0)).toBe(1000);
  });
});

describe('a correction', () => {
  const correct = (change: Parameters<typeof aRelease>[1]) => {
    fixture.list('RIO');
    fixture.news.apply([aRelease('a', { isPriceSensitive: true })]);
    fixture.tick.run();
    const result = fixture.news.apply([aRelease('a', { isPriceSensitive: true, ...change })]);
    return { result, changes: fixture.tick.run() };
  };

  test('changes only the differing fields', () => {
    const { result, changes } = correct({ headline: 'Amended' });
    expect(result).toEqual({ added: 0, changed: 1 });
    expect(changes?.upsert).toEqual({
      BHP: { news: { [TODAY]: { headline: 'Amended', announcements: { a: { headline: 'Amended' } } } } },
    });
  });

  test('moves an announcement to another stock', () => {
    const { result, changes } = correct({ code: 'RIO' });
    expect(result).toEqual({ added: 0, changed: 1 });
    expect(changes?.upsert['BHP']).toEqual({ news: { [TODAY]: null }, sensitiveAnnouncements: 0 });
    expect([idsOf('BHP'), idsOf('RIO')]).toEqual([[], ['a']]);
  });
});

test('that withdraws one removes it from the record, the search and the documents', () => {
  fixture.news.apply([aRelease('a', { isPriceSensitive: true }), aRelease('b')]);
  fixture.tick.run();
  fixture.news.withdraw(['a', 'never-there']);
  expect(fixture.tick.run()?.upsert['BHP']).toEqual({
    news: { [TODAY]: { alerted: false, announcements: { a: null } } },
    sensitiveAnnouncements: 0,
  });
  const { service } = fixture.parts.announcements;
  expect(service.search({ q: 'headline' }).map(({ id }) => id)).toEqual(['b']);
  expect([service.document('a'), service.latest('BHP')?.id, fixture.news.knows('a')]).toEqual([
    null,
    'b',
    false,
  ]);
});

describe('the days in a record', () => {
  test('keep yesterday in a new session, drop older ones, and count announcements after midnight', () => {
    const clock = createFakeClock(fromSydney(TODAY, 23, 30));
    fixture.close();
    fixture = openAnnouncements({ clock });
    fixture.list('BHP');
    const at = (date: string, hour: number) => ({ time: fromSydney(date, hour, 0), isPriceSensitive: true });
    fixture.news.apply([aRelease('old', at(YESTERDAY, 10)), aRelease('day', at(TODAY, 10))]);
    fixture.tick.run();
    expect(Object.keys(fixture.stock('BHP').news ?? {}).sort()).toEqual([YESTERDAY, TODAY]);
    clock.advance(HOUR);
    fixture.news.apply([aRelease('night', at('2026-11-19', 0))]);
    fixture.tick.run();
    // The session is still that of the 18th.
    expect(fixture.stock('BHP').sensitiveAnnouncements).toBe(1);
    clock.set(fromSydney('2026-11-19', 7, 0));
    fixture.tick.run();
    expect(Object.keys(fixture.stock('BHP').news ?? {}).sort()).toEqual([TODAY, '2026-11-19']);
    expect(fixture.stock('BHP').sensitiveAnnouncements).toBe(1);
    expect(idsOf('BHP', '2026-11-19')).toEqual(['night']);
  });

  test('show nothing of the future of a source with its own clock', () => {
    const clock = createFakeClock();
    fixture.close();
    fixture = openAnnouncements({ clock, news: createHandAnnouncements({ clock }) });
    fixture.list('BHP');
    fixture.news.apply([aRelease('a', { time: clock.now() })]);
    fixture.tick.run();
    expect(idsOf('BHP')).toEqual(['a']);
    // The source’s day starts again and lists everything again.
    clock.set(clock.now() - 1);
    fixture.parts.market.service.remove(['BHP']);
    fixture.list('BHP');
    expect(fixture.stock('BHP').news ?? {}).toEqual({});
    clock.set(clock.now() + 1);
    fixture.tick.run();
    expect(idsOf('BHP')).toEqual(['a']);
  });
});

test('a restart fills the records from the database in the change set that lists the stocks', () => {
  const db = openMemoryDb();
  fixture.close();
  fixture = openAnnouncements({ db });
  fixture.list('BHP');
  fixture.news.apply([
    aRelease('a', { isPriceSensitive: true }),
    aRelease('b', { time: fromSydney(YESTERDAY, 12, 0) }),
  ]);
  fixture.close();
  fixture = openAnnouncements({ db });
  fixture.source.apply([{ code: 'BHP', last: 1 }]);
  expect(fixture.tick.run()?.upsert['BHP']).toMatchObject({
    sensitiveAnnouncements: 1,
    news: { [TODAY]: { alerted: true }, [YESTERDAY]: { alerted: false } },
  });
  expect(fixture.news.knows('a')).toBe(true);
});

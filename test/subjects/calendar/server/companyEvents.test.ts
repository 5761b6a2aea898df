import { afterEach, expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import { type AnnouncementFixture, openAnnouncements } from '#support/announcementFixture.ts';
import { aRelease } from '#support/handAnnouncements.ts';
import { createFakeClock } from '#support/testApp.ts';

const DATE = '2026-11-18';

let fixture: AnnouncementFixture;
afterEach(() => fixture.close());

test('a corrected ex-dividend date replaces the one before without another search', async () => {
  fixture = openAnnouncements({ clock: createFakeClock(fromSydney(DATE, 11, 0)) });
  fixture.list('BHP');
  const ask = async () =>
    (
      (await fixture.request('GET', '/api/calendar/company-events', { as: 'free' })).json as {
        events: { date: string }[];
      }
    ).events.map(({ date }) => date);
  const before = fromSydney('2026-11-02', 9, 0);
  fixture.news.apply([aRelease('a', { headline: 'Ex-dividend 20 November 2026', time: before })]);
  expect(await ask()).toEqual(['2026-11-20']);
  fixture.news.apply([
    aRelease('b', { headline: 'Update: ex-dividend 24 November 2026', time: fromSydney(DATE, 10, 0) }),
  ]);
  expect(await ask()).toEqual(['2026-11-24']);
});

test('company events are halts and raisings of the two shown days, and ex-dividend dates stated in headlines', async () => {
  fixture = openAnnouncements({ clock: createFakeClock(fromSydney(DATE, 11, 0)) });
  fixture.list('BHP');
  const at = (days: number, hour: number) => fromSydney(DATE, hour, 0) - days * 86_400_000;
  fixture.news.apply([
    aRelease('halt', { headline: 'Trading Halt', announcementTypes: ['Trading Halt'], time: at(0, 10) }),
    aRelease('ahead', { headline: 'Trading Halt', announcementTypes: ['Trading Halt'], time: at(0, 15) }),
    aRelease('old', { headline: 'Placement', announcementTypes: ['Placement'], time: at(9, 10) }),
    aRelease('raising', {
      code: 'XYZ',
      headline: '$2M Raise',
      announcementTypes: ['Placement'],
      time: at(1, 9),
    }),
    aRelease('ex', { headline: 'Dividend: ex-dividend 19 November 2026', time: at(20, 9) }),
    aRelease('explore', { headline: 'Exploration update 19 November 2026', time: at(20, 9) }),
  ]);
  const { status, json } = await fixture.request('GET', '/api/calendar/company-events', { as: 'free' });
  expect(status).toBe(200);
  expect((json as { events: object[] }).events).toEqual([
    expect.objectContaining({
      id: 'ex ex',
      code: 'BHP',
      name: 'BHP',
      kinds: ['exDividend'],
      date: '2026-11-19',
      time: null,
    }),
    expect.objectContaining({
      id: 'halt',
      kinds: ['halt'],
      date: null,
      time: new Date(at(0, 10)).toISOString(),
    }),
    expect.objectContaining({ id: 'raising', code: 'XYZ', name: null, kinds: ['raising'] }),
  ]);
});

import { describe, expect, test } from 'bun:test';
import { readWeek } from '../../../src/sources/calendar/forexFactory/week.ts';
import { readRecordedWeek } from '../../support/recordedCalendar.ts';
import { recordings } from '../../support/recordedScan.ts';

const ITEM = {
  ...{ title: 'Household Spending m/m', country: 'AUD', date: '2026-02-08T19:30:00-05:00' },
  ...{ impact: 'Low', forecast: '0.2%', previous: '1.0%' },
};
const read = (...items: unknown[]) => {
  const week = readWeek(items);
  if (!week.ok) throw new Error(week.error);
  return week.value;
};
const one = (change: Record<string, unknown>) => read({ ...ITEM, ...change }).events[0];

describe('a week of ForexFactory', () => {
  test('an event in UTC, with the country of its currency and no actual figure', () => {
    expect(one({})).toMatchObject({
      ...{ dateUtc: '2026-02-09T00:30:00.000Z', countryCode: 'AU', currencyCode: 'AUD' },
      ...{ name: 'Household Spending m/m', consensus: 0.2, previous: 1, unit: '%', potency: 'ZERO' },
      ...{ actual: null, volatility: 'LOW', isAllDay: false, isSpeech: false },
    });
  });

  test.each([
    ['EUR', 'EMU', 'EUR'],
    ['GBP', 'UK', 'GBP'],
    ['CNY', 'CN', 'CNY'],
    ['All', '', ''],
    ['XAG', '', 'XAG'],
    ['', '', ''],
  ])('the country of %p', (country, countryCode, currencyCode) => {
    expect(one({ country })).toMatchObject({ countryCode, currencyCode });
  });

  test('ids stay when figures change, and differ by date, currency and title', () => {
    const id = one({})?.id;
    expect(one({ forecast: '0.5%', previous: '', impact: 'High' })?.id).toBe(id ?? '');
    expect(one({ date: '2026-02-09T00:30:00Z' })?.id).toBe(id ?? '');
    const others = [{ title: 'Other' }, { country: 'NZD' }, { date: '2026-02-08T19:45:00-05:00' }].map(
      (change) => one(change)?.id,
    );
    expect(new Set([id, ...others]).size).toBe(4);
    expect(id).toMatch(/^ff-[0-9a-f]{24}$/);
  });

  test.each([
    // The national holiday of 11 February in Japan, ANZAC Day in Australia, a Monday in the United States.
    ['JPY', '2026-02-10T19:00:00-05:00', '2026-02-11T00:00:00.000Z'],
    ['AUD', '2026-04-24T17:00:00-04:00', '2026-04-25T00:00:00.000Z'],
    ['USD', '2026-02-16T08:00:00-05:00', '2026-02-16T00:00:00.000Z'],
  ])('a holiday is the whole date of its country: %s', (country, date, dateUtc) => {
    expect(one({ country, date, impact: 'Holiday', forecast: '', previous: '' })).toMatchObject({
      ...{ dateUtc, isAllDay: true, isHoliday: true, volatility: 'LOW' },
    });
  });

  test('speeches and reports have no figures', () => {
    const none = { forecast: '', previous: '' };
    expect(one({ ...none, title: 'Gov Bullock Speaks' })).toMatchObject({ isSpeech: true, isReport: false });
    expect(one({ ...none, title: 'Meeting Minutes' })).toMatchObject({ isSpeech: false, isReport: true });
    expect(one({ title: 'Inflation Report m/m' })).toMatchObject({ isReport: false });
  });

  test('speaks of Sunday to Saturday in its own zone', () => {
    const { span } = read(ITEM);
    expect(new Date(span.from).toISOString()).toBe('2026-02-08T05:00:00.000Z');
    expect(new Date(span.until).toISOString()).toBe('2026-02-15T05:00:00.000Z');
    const summer = read({ ...ITEM, date: '2026-07-31T10:00:00-04:00' }).span;
    expect(new Date(summer.from).toISOString()).toBe('2026-07-26T04:00:00.000Z');
  });

  test('an unusable event costs itself only; a repeated one counts once', () => {
    const week = read(ITEM, ITEM, { ...ITEM, title: 'B' }, { ...ITEM, date: '' });
    expect([week.events.length, week.refused]).toEqual([2, 1]);
  });

  test.each([
    ['no list', { events: [] }, 'sent something else than a list of events'],
    ['no event', [], 'sent a week without a usable event'],
    ['other members', [{ name: 'a' }, { name: 'b' }, ITEM], 'sent a week without a usable event'],
  ])('is unusable with %s', (_, body, error) => {
    expect(readWeek(body)).toEqual({ ok: false, error });
  });
});

const list = recordings();
if (list.length === 1)
  test.skip('whole weeks of ForexFactory: skipped, as ../shared/data is absent', () => undefined);

describe.each(list)('the weeks of $name', ({ folder }) => {
  test.each(['2026-02-08', '2026-07-26'])('%s: every event once, in its place', (date) => {
    const items = readRecordedWeek(folder, date);
    const { events, refused, span } = read(...items);
    expect([events.length, refused]).toEqual([items.length, 0]);
    expect(events.map(({ name }) => name)).toEqual(items.map(({ title }) => title));
    const timed = events.flatMap((event, at) => (event.isAllDay ? [] : [[event, items[at]] as const]));
    expect(timed.map(([event]) => Date.parse(event.dateUtc))).toEqual(
      timed.map(([, item]) => Date.parse(item?.date ?? '')),
    );
    const count = (impact: string) => items.filter((item) => item.impact === impact).length;
    expect(events.filter(({ isHoliday }) => isHoliday).length).toBe(count('Holiday'));
    for (const impact of ['High', 'Medium', 'Low']) {
      const found = events.filter(
        ({ volatility, isHoliday }) => !isHoliday && volatility === impact.toUpperCase(),
      );
      expect(found.length).toBe(count(impact));
    }
    // All but votes and bounds are figures.
    const texts = items.flatMap(({ forecast, previous }) => [forecast, previous]);
    const figures = events.flatMap(({ consensus, previous }) => [consensus, previous]);
    const unread = texts.filter((text, at) => text !== '' && figures[at] === null);
    expect(unread.filter((text) => !['2-0-7', '<1.00%'].includes(text))).toEqual([]);
    expect(span.from).toBeLessThan(Date.parse(items[0]?.date ?? ''));
  });
});

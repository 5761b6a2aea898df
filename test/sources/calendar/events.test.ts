import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readWeek } from '#sources/calendar/forexFactory.ts';
import { readAnswer, readEvent } from '#sources/calendar/fxstreet/fetchEvents.ts';
import { fxItem, type WeekItem } from '#support/fakeFxStreet.ts';
import { recordings } from '#support/recordedScan.ts';

describe('FXStreet', () => {
  const GOOD = fxItem({
    id: 'ff1f3d8f-1111',
    dateUtc: '2022-06-13T14:00:00Z',
    name: 'Manufacturing (MoM)',
    periodDateUtc: '2022-04-01T00:00:00Z',
    periodType: 'MONTH',
    actual: -1.0,
    consensus: 0.2,
    previous: -0.2,
    revised: -0.3,
    isBetterThanExpected: false,
    countryCode: 'UK',
    currencyCode: 'GBP',
    unit: '%',
    potency: 'ZERO',
    volatility: 'MEDIUM',
    lastUpdated: 1_655_100_424,
  });
  const read = (change: Record<string, unknown> = {}) => {
    const result = readEvent({ ...GOOD, ...change });
    return result.ok ? result.value.event : result.error;
  };

  describe('an event from FXStreet', () => {
    test('has every member', () => {
      const result = readEvent(GOOD);
      expect(result.ok && result.value).toEqual({
        lastUpdated: 1_655_100_424,
        event: {
          id: 'ff1f3d8f-1111',
          dateUtc: '2022-06-13T14:00:00.000Z',
          countryCode: 'UK',
          currencyCode: 'GBP',
          name: 'Manufacturing (MoM)',
          periodDateUtc: '2022-04-01T00:00:00.000Z',
          periodType: 'MONTH',
          actual: -1,
          consensus: 0.2,
          previous: -0.2,
          revised: -0.3,
          unit: '%',
          potency: 'ZERO',
          volatility: 'MEDIUM',
          isBetterThanExpected: false,
          isSpeech: false,
          isReport: false,
          isAllDay: false,
          isHoliday: false,
          isTentative: false,
          isPreliminary: false,
          series: GOOD['eventId'] as string,
        },
      });
    });

    test.each([
      ['seconds and a fraction', '2026-08-12T09:49:23.387Z', '2026-08-12T09:49:23.387Z'],
      ['no time zone', '2026-08-12T09:49:23', '2026-08-12T09:49:23.000Z'],
      ['another time zone', '2026-08-12T09:49:00+02:00', '2026-08-12T07:49:00.000Z'],
    ])('has a time with %s', (_, dateUtc, expected) => {
      expect(read({ dateUtc })).toMatchObject({ dateUtc: expected });
    });

    test('starts at midnight UTC if it lasts all day', () => {
      expect(read({ isAllDay: true, volatility: 'NONE', dateUtc: '2026-01-26T11:00:00Z' })).toMatchObject({
        isAllDay: true,
        isHoliday: true,
        volatility: 'LOW',
        dateUtc: '2026-01-26T00:00:00.000Z',
      });
    });

    test.each([
      ['EMU', 'EMU'],
      ['UK', 'UK'],
      ['GB', 'UK'],
      ['EU', 'EMU'],
      ['au', 'AU'],
      [null, ''],
      ['<script>', ''],
    ])('has the country %p', (countryCode, expected) => {
      expect(read({ countryCode })).toMatchObject({ countryCode: expected });
    });

    test('keeps figures in thousands and millions, with their unit', () => {
      expect(read({ potency: 'K', unit: null, actual: 66 })).toMatchObject({
        actual: 66,
        potency: 'K',
        unit: null,
      });
      expect(read({ potency: 'B', unit: '$', actual: '1.5' })).toMatchObject({ actual: 1.5, unit: '$' });
      expect(read({ actual: 0 })).toMatchObject({ actual: 0 });
      expect(read({ actual: 'n/a', consensus: {} })).toMatchObject({ actual: null, consensus: null });
    });

    test('has no figures if their unit is unknown', () => {
      expect(read({ potency: 'Q' })).toMatchObject({
        actual: null,
        consensus: null,
        previous: null,
        potency: 'ZERO',
      });
      expect(read({ potency: null })).toMatchObject({ actual: -1, potency: 'ZERO' });
    });

    test.each([
      [{ id: '' }, 'an event without a usable id'],
      [{ name: null }, 'ff1f3d8f-1111: no name'],
      [{ dateUtc: 'tomorrow' }, 'ff1f3d8f-1111: no date'],
    ])('is rejected with %p', (change, reason) => {
      expect(read(change)).toBe(reason);
    });
  });

  describe('a list answer', () => {
    test('counts a repeated event once, and skips only an unreadable one', () => {
      const answer = readAnswer([GOOD, GOOD, { ...GOOD, id: 'b' }, { ...GOOD, id: 'c', name: '' }]);
      expect(answer).toMatchObject({ kind: 'events', refused: 1, firstRefusal: 'c: no name' });
      expect(answer.kind === 'events' && answer.events.map(({ event }) => event.id)).toEqual([
        'ff1f3d8f-1111',
        'b',
      ]);
    });

    test.each([
      ['an envelope', { events: [GOOD] }, 'sent data that is not a list of events'],
      [
        'other members',
        [{ key: 1 }, { key: 2 }, GOOD],
        'sent 2 of 3 events in an unknown format (an event without a usable id)',
      ],
    ])('is unusable with %s', (_, body, reason) => {
      expect(readAnswer(body)).toEqual({ kind: 'unusable', reason });
    });
  });
});

describe('ForexFactory', () => {
  const ITEM = {
    title: 'Household Spending m/m',
    country: 'AUD',
    date: '2026-02-08T19:30:00-05:00',
    impact: 'Low',
    forecast: '0.2%',
    previous: '1.0%',
  };
  const read = (...items: unknown[]) => {
    const week = readWeek(items);
    if (!week.ok) throw new Error(week.error);
    return week.value;
  };
  const one = (change: Record<string, unknown>) => read({ ...ITEM, ...change }).events[0];

  describe('a week from ForexFactory', () => {
    test.each([
      ['EUR', 'EMU', 'EUR'],
      ['GBP', 'UK', 'GBP'],
      ['CNY', 'CN', 'CNY'],
      ['All', '', ''],
      ['XAG', '', 'XAG'],
      ['', '', ''],
    ])('sets the country of %p', (country, countryCode, currencyCode) => {
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
    ])('a holiday is the whole date in its country: %s', (country, date, dateUtc) => {
      expect(one({ country, date, impact: 'Holiday', forecast: '', previous: '' })).toMatchObject({
        dateUtc,
        isAllDay: true,
        isHoliday: true,
        volatility: 'LOW',
      });
    });

    test('skips only an unusable event, and counts a repeated one once', () => {
      const week = read(ITEM, ITEM, { ...ITEM, title: 'B' }, { ...ITEM, date: '' });
      expect([week.events.length, week.refused]).toEqual([2, 1]);
    });

    test.each([
      ['no list', { events: [] }, 'sent data that is not a list of events'],
      ['no event', [], 'sent a week without a usable event'],
      ['other members', [{ name: 'a' }, { name: 'b' }, ITEM], 'sent a week without a usable event'],
    ])('is unusable with %s', (_, body, error) => {
      expect(readWeek(body)).toEqual({ ok: false, error });
    });
  });

  const list = recordings();
  if (list.length === 1)
    describe.each(list)('the weeks of $name', ({ folder }) => {
      test.each(['2026-02-08', '2026-07-26'])('%s: every event once, in order', async (date) => {
        const path = join(folder, 'calendar', `ff_calendar_thisweek.${date}.json`);
        const items = (await Bun.file(path).json()) as WeekItem[];
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
        // All texts but votes and bounds are figures.
        const texts = items.flatMap(({ forecast, previous }) => [forecast, previous]);
        const figures = events.flatMap(({ consensus, previous }) => [consensus, previous]);
        const unread = texts.filter((text, at) => text !== '' && figures[at] === null);
        expect(unread.filter((text) => !['2-0-7', '<1.00%'].includes(text))).toEqual([]);
        expect(span.from).toBeLessThan(Date.parse(items[0]?.date ?? ''));
      });
    });
});

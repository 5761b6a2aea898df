import { describe, expect, test } from 'bun:test';
import { readAnswer } from '../../../src/sources/calendar/fxstreet/fetchEvents.ts';
import { readEvent } from '../../../src/sources/calendar/fxstreet/event.ts';
import { fxItem } from '../../support/fakeFxStreet.ts';

const GOOD = fxItem({
  ...{ id: 'ff1f3d8f-1111', dateUtc: '2022-06-13T14:00:00Z', name: 'Manufacturing (MoM)' },
  ...{ periodDateUtc: '2022-04-01T00:00:00Z', periodType: 'MONTH', actual: -1.0, consensus: 0.2 },
  ...{ previous: -0.2, revised: -0.3, isBetterThanExpected: false, countryCode: 'UK', currencyCode: 'GBP' },
  ...{ unit: '%', potency: 'ZERO', volatility: 'MEDIUM', lastUpdated: 1_655_100_424 },
});
const read = (change: Record<string, unknown> = {}) => {
  const result = readEvent({ ...GOOD, ...change });
  return result.ok ? result.value.event : result.error;
};

describe('an event of FXStreet', () => {
  test('every member', () => {
    const result = readEvent(GOOD);
    expect(result.ok && result.value).toEqual({
      lastUpdated: 1_655_100_424,
      event: {
        ...{
          id: 'ff1f3d8f-1111',
          dateUtc: '2022-06-13T14:00:00.000Z',
          countryCode: 'UK',
          currencyCode: 'GBP',
        },
        ...{ name: 'Manufacturing (MoM)', periodDateUtc: '2022-04-01T00:00:00.000Z', periodType: 'MONTH' },
        ...{ actual: -1, consensus: 0.2, previous: -0.2, revised: -0.3, unit: '%', potency: 'ZERO' },
        ...{ volatility: 'MEDIUM', isBetterThanExpected: false, isSpeech: false, isReport: false },
        ...{ isAllDay: false, isHoliday: false, isTentative: false, isPreliminary: false },
        series: GOOD['eventId'] as string,
      },
    });
  });

  test.each([
    ['seconds and a fraction', '2026-08-12T09:49:23.387Z', '2026-08-12T09:49:23.387Z'],
    ['no zone', '2026-08-12T09:49:23', '2026-08-12T09:49:23.000Z'],
    ['another zone', '2026-08-12T09:49:00+02:00', '2026-08-12T07:49:00.000Z'],
  ])('a time with %s', (_, dateUtc, expected) => {
    expect(read({ dateUtc })).toMatchObject({ dateUtc: expected });
  });

  test('a whole day begins at its midnight in UTC', () => {
    expect(read({ isAllDay: true, volatility: 'NONE', dateUtc: '2026-01-26T11:00:00Z' })).toMatchObject({
      ...{ isAllDay: true, isHoliday: true, volatility: 'LOW', dateUtc: '2026-01-26T00:00:00.000Z' },
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
  ])('the country %p', (countryCode, expected) => {
    expect(read({ countryCode })).toMatchObject({ countryCode: expected });
  });

  test('figures in thousands and millions stay as they are, with their unit', () => {
    expect(read({ potency: 'K', unit: null, actual: 66 })).toMatchObject({
      actual: 66,
      potency: 'K',
      unit: null,
    });
    expect(read({ potency: 'B', unit: '$', actual: '1.5' })).toMatchObject({ actual: 1.5, unit: '$' });
    expect(read({ actual: 0 })).toMatchObject({ actual: 0 });
    expect(read({ actual: 'n/a', consensus: {} })).toMatchObject({ actual: null, consensus: null });
  });

  test('without figures when nobody knows what they are counted in', () => {
    expect(read({ potency: 'Q' })).toMatchObject({
      actual: null,
      consensus: null,
      previous: null,
      potency: 'ZERO',
    });
    expect(read({ potency: null })).toMatchObject({ actual: -1, potency: 'ZERO' });
  });

  test('marks and words that are missing', () => {
    expect(read({ isTentative: true, isPreliminary: true, isSpeech: 1 })).toMatchObject({
      ...{ isTentative: true, isPreliminary: true, isSpeech: true },
    });
    expect(
      read({ isBetterThanExpected: null, periodType: null, periodDateUtc: '', volatility: 'X' }),
    ).toMatchObject({
      ...{ isBetterThanExpected: null, periodType: null, periodDateUtc: null, volatility: 'LOW' },
    });
  });

  test.each([
    [{ id: '' }, 'an event without a usable id'],
    [{ name: null }, 'ff1f3d8f-1111: no name'],
    [{ dateUtc: 'tomorrow' }, 'ff1f3d8f-1111: no date'],
  ])('is refused with %p', (change, reason) => {
    expect(read(change)).toBe(reason);
  });
});

describe('an answered list', () => {
  test('counts a repeated event once, and an unreadable one costs itself only', () => {
    const answer = readAnswer([GOOD, GOOD, { ...GOOD, id: 'b' }, { ...GOOD, id: 'c', name: '' }]);
    expect(answer).toMatchObject({ kind: 'events', refused: 1, firstRefusal: 'c: no name' });
    expect(answer.kind === 'events' && answer.events.map(({ event }) => event.id)).toEqual([
      'ff1f3d8f-1111',
      'b',
    ]);
  });

  test.each([
    ['an envelope', { events: [GOOD] }, 'sent something else than a list of events'],
    [
      'other members',
      [{ key: 1 }, { key: 2 }, GOOD],
      'sent 2 of 3 events in an unknown shape (an event without a usable id)',
    ],
  ])('is unusable with %s', (_, body, reason) => {
    expect(readAnswer(body)).toEqual({ kind: 'unusable', reason });
  });
});

import { describe, expect, test } from 'bun:test';
import { beforeDue, beforeMessage, figureMessage } from '#subjects/calendar/rules/reminderMessage.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { aCalendarEvent } from '#support/aCalendarEvent.ts';
import { formatCountdown, highImpactSoon, nextEvent } from '#subjects/calendar/rules/nextEvent.ts';

const MINUTE = 60_000;
const time = fromSydney('2026-01-20', 12, 30);
const event = aCalendarEvent();
const context = { now: time - 5 * MINUTE, label: 'Simulated', publicUrl: 'https://bellbird.example' };

test('the event of these tests is at 12:30 in Sydney', () => expect(Date.parse(event.dateUtc)).toBe(time));

describe('the reminder before an event', () => {
  test.each([
    [-5 * MINUTE - 1, false],
    [-5 * MINUTE, true],
    [-1, true],
    [0, true],
    [10 * MINUTE - 1, true],
    [10 * MINUTE, false],
  ])('%d ms from its time is due: %p', (ms, isDue) => {
    expect(beforeDue(event, time + ms) !== null).toBe(isDue);
  });

  test('is not due once the figure is out, or for an event without a time', () => {
    expect(beforeDue({ ...event, actual: 2 }, time - MINUTE)).toBeNull();
    expect(beforeDue({ ...event, isAllDay: true }, time - MINUTE)).toBeNull();
    expect(beforeDue({ ...event, dateUtc: '' }, time - MINUTE)).toBeNull();
  });

  test('is sent again only if the event was postponed, not if it moved by minutes', () => {
    const sentAt = time - 5 * MINUTE;
    const sentAgain = (moved: number): boolean => {
      const later = { ...event, dateUtc: new Date(time + moved).toISOString() };
      return sentAt < (beforeDue(later, time + moved - MINUTE)?.notifiedSince ?? Number.NEGATIVE_INFINITY);
    };
    expect([0, 23_387, 4 * MINUTE, -MINUTE].map(sentAgain)).toEqual([false, false, false, false]);
    expect([6 * MINUTE, 24 * 60 * MINUTE].map(sentAgain)).toEqual([true, true]);
  });
});

describe('the message before an event', () => {
  test('shows the event, its time, the expectation and the calendar', () => {
    expect(beforeMessage(event, context)).toEqual({
      title: 'AUD Consumer Price Index (YoY) in 5 min',
      lines: ['12:30 Sydney · HIGH impact', 'Consensus 2.4% · Previous 2.5%', 'Calendar: Simulated'],
      link: { text: 'Open FX News in Bellbird', url: 'https://bellbird.example/#/fx-news' },
      page: '#/fx-news',
      buttons: [],
    });
  });

  test('shows that it is late, on which day, and that a time is unconfirmed', () => {
    const speech = aCalendarEvent({ isSpeech: true, consensus: null, previous: null, isTentative: true });
    const late = beforeMessage(speech, { ...context, now: time + MINUTE, publicUrl: null });
    expect(late.title).toBe('AUD Consumer Price Index (YoY) was due');
    expect(late.lines).toEqual([
      '12:30 Sydney · HIGH impact · time not confirmed',
      'This reminder is late. It could not be sent earlier.',
      'Calendar: Simulated',
    ]);
    expect(late.link).toBeNull();
    const dayBefore = beforeMessage(event, { ...context, now: fromSydney('2026-01-19', 23, 0) });
    expect(dayBefore.lines[0]).toBe('12:30 Sydney, Tuesday 20 January 2026 · HIGH impact');
  });
});

describe('the message of a figure', () => {
  test('shows the figure in full, and how it compares', () => {
    const out = aCalendarEvent({ actual: 2.65, isBetterThanExpected: false, revised: 2.55 });
    expect(figureMessage(out, context)).toMatchObject({
      title: 'AUD Consumer Price Index (YoY): 2.65%',
      lines: [
        'Worse than consensus (2.4%) · Previous 2.5%, revised to 2.55%',
        '12:30 Sydney · HIGH impact',
        'Calendar: Simulated',
      ],
    });
  });

  test('omits unknown values, and marks a preliminary figure', () => {
    const out = aCalendarEvent({
      actual: -0.4,
      consensus: null,
      previous: null,
      isPreliminary: true,
      isHoliday: true,
      unit: '$',
      potency: 'B',
    });
    const { title, lines } = figureMessage(out, context);
    expect(title).toBe('AUD Consumer Price Index (YoY): −$0.4B (preliminary)');
    expect(lines).toEqual(['12:30 Sydney', 'Calendar: Simulated']);
  });

  test('stays short and plain for any event name', () => {
    const hostile = aCalendarEvent({
      name: `Line\nbreak\u202E${'x'.repeat(400)}`,
      currencyCode: '',
      actual: 1,
    });
    for (const make of [beforeMessage, figureMessage]) {
      const { title, lines } = make(hostile, context);
      expect(title).toStartWith('Line break x');
      expect(title.length).toBeLessThan(120);
      for (const line of [title, ...lines]) expect(line).not.toMatch(/[\n\u202E]/);
    }
  });
});

describe('upcoming events', () => {
  const now = Date.parse('2026-01-20T00:30:00Z');
  const at = (id: string, dateUtc: string, members = {}) => aCalendarEvent({ id, dateUtc, ...members });

  test('the next event is the first one, of the highest impact at the same time', () => {
    const events = [
      at('past', '2026-01-20T00:30:00Z'),
      at('low', '2026-01-20T01:30:00Z', { volatility: 'LOW' }),
      at('high', '2026-01-20T01:30:00Z'),
      at('later', '2026-01-20T01:31:00Z'),
      at('all day', '2026-01-21T00:00:00Z', { isAllDay: true }),
      at('no time', ''),
    ];
    expect(nextEvent(events, now)?.id).toBe('high');
    expect(nextEvent(events.toReversed(), now)?.id).toBe('high');
  });

  test('events of HIGH impact for AUD within the hour are listed', () => {
    const events = [
      at('in an hour', '2026-01-20T01:30:00Z'),
      at('soon', '2026-01-20T00:45:00Z'),
      at('now', '2026-01-20T00:30:00Z'),
      at('too late', '2026-01-20T01:30:01Z'),
      at('medium', '2026-01-20T00:45:00Z', { volatility: 'MEDIUM' }),
      at('dollar', '2026-01-20T00:45:00Z', { currencyCode: 'USD' }),
    ];
    expect(highImpactSoon(events, now).map(({ id }) => id)).toEqual(['soon', 'in an hour']);
  });

  test.each([
    [7_500_000, '2 h 05 min'],
    [3_600_000, '1 h 00 min'],
    [3_599_000, '1 h 00 min'],
    [720_000, '12 min'],
    [60_001, '2 min'],
    [60_000, '60 s'],
    [44_200, '45 s'],
    [0, '0 s'],
    [-5, '0 s'],
  ])('%p ms count down as %p', (ms, text) => {
    expect(formatCountdown(ms)).toBe(text);
  });
});

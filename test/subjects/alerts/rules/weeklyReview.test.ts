import { describe, expect, test } from 'bun:test';
import type { Finding } from '../../../../src/subjects/alerts/rules/review/finding.ts';
import {
  afterSession,
  isWholeList,
  type PresenceRow,
} from '../../../../src/subjects/alerts/rules/review/presence.ts';
import { dueWeek, wasTold } from '../../../../src/subjects/alerts/rules/review/weekTime.ts';
import {
  answeredWeekly,
  isWeeklyMessage,
  weeklyMessage,
} from '../../../../src/subjects/alerts/rules/review/weeklyMessage.ts';

describe('when the review of a week is due', () => {
  test.each([
    ['2026-11-27T22:59:00Z', null],
    ['2026-11-27T23:00:00Z', '2026-11-28'],
    ['2026-11-29T12:59:00Z', '2026-11-28'],
    ['2026-11-29T13:01:00Z', null],
    // Standard time: an hour later by UTC.
    ['2026-06-26T23:59:00Z', null],
    ['2026-06-27T00:00:00Z', '2026-06-27'],
  ])('%s', (time, week) => expect(dueWeek(Date.parse(time))).toBe(week));

  test('it is told once, and a clock that was years ahead silences nothing', () => {
    expect(wasTold(null, '2026-11-28')).toBe(false);
    expect(wasTold('2026-11-21', '2026-11-28')).toBe(false);
    expect(wasTold('2026-11-28', '2026-11-28')).toBe(true);
    expect(wasTold('2026-12-05', '2026-11-28')).toBe(true);
    expect(wasTold('2029-12-01', '2026-11-28')).toBe(false);
  });
});

const silent = (id: number, of: 'alert' | 'scan' = 'alert'): Finding => ({
  key: `silent ${of} ${id}`,
  kind: 'silent',
  alerts: [{ of, id, called: `Alert ${id}`, symbol: null }],
  text: 'Never fired.',
  presses: ['pause', 'delete'],
  cooldown: null,
});

describe('the message of a week', () => {
  test('names some, has a button for each of the first three, and leads to the page', () => {
    const message = weeklyMessage(
      Array.from({ length: 10 }, (_, id) => silent(id)),
      'https://x.au',
    );
    expect(message.title).toBe('10 things to look at among your alerts');
    expect(message.lines).toHaveLength(9);
    expect(message.lines.at(-1)).toBe('And 2 more.');
    expect(message.buttons.map(({ action, target, label }) => `${action} ${target} ${label}`)).toEqual([
      'off 0 Pause Alert 0',
      'off 1 Pause Alert 1',
      'off 2 Pause Alert 2',
    ]);
    expect(message.link?.url).toBe('https://x.au/#/watchlist/review');
    expect(isWeeklyMessage(message)).toBe(true);
  });

  test('tells below what a button did, and the button takes it back; an alert of the other kind keeps its own', () => {
    const message = weeklyMessage([silent(1), silent(1, 'scan')], null);
    const paused = answeredWeekly(message, { action: 'scanoff', target: 1 }, 'paused.');
    expect(paused.lines.at(-1)).toBe('→ Alert 1: paused.');
    expect(paused.buttons.map(({ action, label }) => `${action} ${label}`)).toEqual([
      'off Pause Alert 1',
      'scanon Resume Alert 1',
    ]);
    const again = answeredWeekly(paused, { action: 'scanon', target: 1 }, 'switched on.');
    expect(again.buttons).toEqual([...message.buttons]);
  });
});

describe('what is remembered of a stock', () => {
  const seen = { company: 'BHP GROUP', isHalted: false };
  const through = (...sessions: Parameters<typeof afterSession>[2][]): PresenceRow | null =>
    sessions.reduce<PresenceRow | null>(
      (before, one, day) => afterSession(before, 'BHP', one, `2026-11-0${day + 1}`),
      null,
    );

  test('counts the sessions in a row in which it was missing, and forgets them as it is back', () => {
    expect(through(seen, null, null)).toMatchObject({ missingSince: '2026-11-02', missingDays: 2 });
    expect(through(seen, null, seen)).toMatchObject({ missingSince: null, missingDays: 0 });
  });

  test('a stock that the source never had has not left it', () => {
    expect(through(null, null)).toMatchObject({ missingSince: null, missingDays: 0 });
  });

  test('is since when it is halted', () => {
    const halted = { ...seen, isHalted: true };
    expect(through(seen, halted, halted)?.haltedSince).toBe('2026-11-02');
    expect(through(halted, seen)?.haltedSince).toBeNull();
  });

  test('a list that was cut short says nothing', () => {
    expect(isWholeList(2000, [])).toBe(true);
    expect(isWholeList(1800, [2000, 1990])).toBe(true);
    expect(isWholeList(1700, [2000, 1990])).toBe(false);
    expect(isWholeList(0, [])).toBe(false);
  });
});

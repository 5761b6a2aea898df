import { describe, expect, test } from 'bun:test';
import { outlookOf, outlookText } from '../../../../src/subjects/alerts/rules/outlook.ts';
import type { Logic } from '../../../../src/subjects/conditions/rules/condition.ts';
import { emptyStock } from '../../../../src/market/rules/stock.ts';
import { allOf, field, number } from '../../../support/conditions.ts';

const BHP = { ...emptyStock('BHP'), status: 'Open' as const, last: 50, volume: 1000, close: 49 };
const last = (op: '>' | '<' | 'crosses_above' | 'crosses_below', value: number) =>
  allOf({ lhs: field('last'), op, rhs: number(value) });
const look = (logic: Logic, stock = BHP) => outlookOf(logic, stock, 0);
const period = (fired: number, tradingDays = 5) => ({
  from: 0,
  to: 1,
  fired,
  tradingDays,
  times: [],
  closes: [],
});

describe('an outlook', () => {
  test('of what is true, of a distance, and of a crossing', () => {
    expect(look(last('>', 5))).toEqual({ holds: true, away: null, isBeyond: false });
    expect(look(last('>', 50.6))).toEqual({ holds: false, away: expect.closeTo(1.2), isBeyond: false });
    expect(look(last('crosses_above', 51))).toMatchObject({ holds: false, away: expect.closeTo(2) });
    expect(look(last('crosses_above', 49))).toEqual({ holds: false, away: null, isBeyond: true });
    expect(look(last('crosses_below', 51))).toMatchObject({ isBeyond: true });
  });

  test('of several the longest way decides, of a group the shortest', () => {
    const both = {
      op: 'AND' as const,
      conditions: [...last('>', 51).conditions, ...last('<', 60).conditions, ...last('>', 55).conditions],
    };
    expect(look(both).away).toBeCloseTo(10);
    const group: Logic = {
      op: 'AND',
      conditions: [
        { op: 'OR', conditions: [...last('>', 55).conditions, ...last('<', 49).conditions] as never },
      ],
    };
    expect(look(group).away).toBeCloseTo(2);
  });

  test('of what is not known, or no distance, names none', () => {
    expect(look(last('>', 60), { ...BHP, last: null as never })).toEqual({
      holds: null,
      away: null,
      isBeyond: false,
    });
    const yesNo = allOf({ lhs: field('change_percent'), op: '>', rhs: number(99) });
    expect(look(yesNo, { ...BHP, change_percent: 1 })).toMatchObject({ holds: false, away: null });
  });
});

describe('its words', () => {
  const base = { outlook: null, rehearsal: null, isLive: false, isOn: true };
  const rehearsal = { minutes: period(0), days: null, holdsNow: false };

  test('say what it will do before it does it', () => {
    expect(outlookText({ ...base, outlook: look(last('>', 5)) })).toBe('Already true: fires at once');
    expect(outlookText({ ...base, outlook: look(last('>', 50.6)), rehearsal })).toBe(
      '1.2 % away · never in the last 5 days',
    );
    expect(outlookText({ ...base, rehearsal: { ...rehearsal, minutes: period(14) } })).toBe(
      '14 times in the last 5 days',
    );
    expect(outlookText({ ...base, rehearsal: { ...rehearsal, minutes: null, days: period(1, 250) } })).toBe(
      'Once in the last 250 days',
    );
    expect(outlookText({ ...base, outlook: look(last('>', 50.01)) })).toBe('Less than 0.1 % away');
    expect(outlookText(base)).toBeNull();
  });

  test('of an alert that is off, and of one that is live', () => {
    const outlook = look(last('>', 5));
    expect(outlookText({ ...base, outlook, isOn: false })).toBe(
      'Already true: fires at once when it is switched on',
    );
    expect(outlookText({ ...base, outlook, isLive: true })).toBe(
      'True now: fires when it becomes true again',
    );
  });

  test('what the browser can not see is said by the rehearsal', () => {
    const unknown = { holds: null, away: null, isBeyond: false };
    expect(outlookText({ ...base, outlook: unknown, rehearsal: { ...rehearsal, holdsNow: true } })).toBe(
      'Already true: fires at once · never in the last 5 days',
    );
  });
});

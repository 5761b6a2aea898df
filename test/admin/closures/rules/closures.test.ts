import { afterEach, describe, expect, test } from 'bun:test';
import { parseClosures } from '../../../../src/admin/closures/rules/closuresSetting.ts';
import {
  checkSpecialDay,
  lateProblem,
  redundancy,
} from '../../../../src/admin/closures/rules/specialDayForm.ts';
import { loadConfig } from '../../../../src/config.ts';
import { holdSpecialDays, type SpecialDay } from '../../../../src/market/rules/specialDays.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';

const day = (change: Partial<SpecialDay> = {}): SpecialDay => ({
  ...{ date: '2026-12-01', kind: 'closed', closesAt: null, reason: 'Storm' },
  ...change,
});
const early = (closesAt: string): SpecialDay => day({ kind: 'early', closesAt });

describe('the form of a special day', () => {
  test('is read', () => {
    expect(checkSpecialDay({ date: ' 2026-12-01 ', kind: 'closed', reason: ' Storm\n' })).toEqual({
      ok: true,
      value: day(),
    });
    expect(checkSpecialDay({ ...day(), kind: 'early', closesAt: '14:10' })).toEqual({
      ok: true,
      value: early('14:10'),
    });
    // A time beside another kind says nothing.
    expect(checkSpecialDay({ ...day(), closesAt: '14:10' })).toEqual({ ok: true, value: day() });
  });

  test.each([
    [{ date: '' }, 'date', 'Enter a date as YYYY-MM-DD.'],
    [{ date: '2026-02-30' }, 'date', 'Enter a date as YYYY-MM-DD.'],
    [{ date: '2026-12-05' }, 'date', 'The market never trades on Saturdays and Sundays.'],
    [{ kind: 'open' }, 'kind', 'Choose closed, early or normal.'],
    [
      { kind: 'early', closesAt: '16:00' },
      'closesAt',
      'Enter a closing time from 10:15 to 15:59, Sydney time.',
    ],
    [
      { kind: 'early', closesAt: '10:14' },
      'closesAt',
      'Enter a closing time from 10:15 to 15:59, Sydney time.',
    ],
    [{ reason: ' ' }, 'reason', 'Enter a reason.'],
  ])('%p is refused', (change, field, message) => {
    expect(checkSpecialDay({ ...day(), ...change })).toEqual({ ok: false, error: { field, message } });
  });

  test('what the calendar says already need not be entered', () => {
    expect(redundancy(day())).toBeNull();
    expect(redundancy(day({ date: '2026-12-25' }))).toBe(
      'The market is closed on that day already: Christmas Day.',
    );
    expect(redundancy(day({ kind: 'normal' }))).toBe('That is a usual trading day already.');
    expect(redundancy({ ...early('14:10'), date: '2026-12-24' })).toBe(
      'Trading ends at 14:10 on that day already.',
    );
    expect(redundancy({ ...early('13:00'), date: '2026-12-24' })).toBeNull();
    expect(redundancy(day({ kind: 'normal', date: '2026-12-25' }))).toBeNull();
  });
});

describe('until when a day can be changed', () => {
  const at = (hour: number, minute = 0, date = '2026-12-01') => fromSydney(date, hour, minute);
  const problem = (before: SpecialDay | null, after: SpecialDay | null, now: number) =>
    lateProblem('2026-12-01', { before, after }, now);

  test('a day that is over, or far ahead, not at all', () => {
    const over = 'Tuesday 1 December 2026 is over. Days that are over stay as they were.';
    expect(problem(null, day(), at(0, 0, '2026-12-02'))).toBe(over);
    expect(problem(day(), null, at(0, 0, '2026-12-02'))).toBe(over);
    expect(problem(null, day(), at(0, 0, '2024-11-29'))).toBe('Enter a date within the next two years.');
    expect(problem(null, day(), at(23, 59, '2026-11-30'))).toBeNull();
  });

  test('today until its session begins at 07:00', () => {
    expect(problem(null, day(), at(6, 59))).toBeNull();
    expect(problem(null, day(), at(7))).toBe(
      'The session of that day began at 07:00. Enter an early close instead, or a later date.',
    );
    expect(problem(null, early('14:10'), at(7))).toBeNull();
  });

  test('an early close of today while its time is ahead, and until the close that holds', () => {
    expect(problem(null, early('14:10'), at(14, 9))).toBeNull();
    expect(problem(null, early('14:10'), at(14, 10))).toBe(
      'Enter a closing time that is still ahead: it is 14:10 in Sydney.',
    );
    expect(problem(null, early('14:10'), at(16))).toBe('Trading of that day has ended.');
    expect(problem(early('14:10'), null, at(14, 9))).toBeNull();
    expect(problem(early('14:10'), null, at(14, 10))).toBe('Trading of that day has ended.');
  });
});

describe('BELLBIRD_MARKET_CLOSURES', () => {
  afterEach(() => holdSpecialDays(parseClosures, []));

  test('names days with what they are and why', () => {
    expect(
      parseClosures(
        '2026-12-01 closed Storm; 2026-12-24 13:00  Christmas Eve, shorter\n2027-06-14 OPEN Trial;',
      ),
    ).toEqual({
      ok: true,
      value: [
        day(),
        { date: '2026-12-24', kind: 'early', closesAt: '13:00', reason: 'Christmas Eve, shorter' },
        { date: '2027-06-14', kind: 'normal', closesAt: null, reason: 'Trial' },
      ],
    });
    expect(parseClosures(' ')).toEqual({ ok: true, value: [] });
  });
  test.each([
    ['2026-12-01', 'must be days like'],
    [
      '2026-12-05 closed Storm',
      'has a day that can\'t be taken, "2026-12-05 closed Storm": The market never trades',
    ],
    ['2026-12-01 closed Storm; 2026-12-01 14:10 Fault', 'names 2026-12-01 twice'],
    [Array.from({ length: 201 }, () => '2026-12-01 closed Storm').join(';'), 'may have at most 200 days'],
  ])('%s is refused', (raw, error) => {
    const parsed = parseClosures(raw);
    expect(parsed.ok ? '' : parsed.error).toContain(error);
  });

  test('is read among the settings, and names itself in a problem', () => {
    const { config } = loadConfig({ BELLBIRD_MARKET_CLOSURES: '2026-12-01 closed Storm' });
    expect(config.marketClosures).toEqual([day()]);
    expect(loadConfig({}).config.marketClosures).toEqual([]);
    expect(() => loadConfig({ BELLBIRD_MARKET_CLOSURES: 'Storm' })).toThrow(
      'BELLBIRD_MARKET_CLOSURES must be days',
    );
  });
});

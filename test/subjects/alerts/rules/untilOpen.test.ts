import { describe, expect, test } from 'bun:test';
import { goingOn, isUntilOpen } from '#subjects/alerts/rules/alertState.ts';
import { draftOf, logicOf } from '#subjects/conditions/rules/draft.ts';
import type { Condition, Logic } from '#subjects/conditions/rules/condition.ts';
import { NO_SCANS, type SavedScan } from '#subjects/conditions/rules/savedScan.ts';
import { allOf, anyOf, field, is } from '#support/conditions.ts';

const reads = (key: string, op: Condition['op'] = '>', value = 0.05) => is(field(key), op, value);

describe('an alert is on until the open', () => {
  test('if a required condition reads the match price, the match volume or a flip', () => {
    for (const key of [
      'match_price',
      'match_vol',
      ...['flipped', 'to_buyers', 'to_sellers'].map((way) => `surplus_${way}`),
    ])
      expect([key, isUntilOpen(allOf(reads('volume'), reads(key)), NO_SCANS)]).toEqual([key, true]);
  });

  test('but not if Last is sufficient instead', () => {
    expect(isUntilOpen(allOf(anyOf(reads('match_price'), reads('last'))), NO_SCANS)).toBe(false);
    expect(isUntilOpen(allOf(anyOf(reads('match_price'), reads('match_vol'))), NO_SCANS)).toBe(true);
  });

  test('not if it reads a value that continues after the open', () => {
    for (const key of ['last', 'gap_percent', 'sensitive_today', 'close', 'in_intra_day_small']) {
      expect([key, isUntilOpen(allOf(reads(key)), NO_SCANS)]).toEqual([key, false]);
    }
  });

  test('if it requires a stock in the pre-market scan, not outside of it', () => {
    const asked = (op: Condition['op']) => isUntilOpen(allOf(reads('in_pre_market', op, 0.5)), NO_SCANS);
    expect((['crosses_above', 'crosses_below', '>', '<'] as const).filter(asked)).toHaveLength(3);
    expect(asked('<')).toBe(false);
  });

  test('if it follows a saved scan that reads the match price', () => {
    const scan: SavedScan = {
      id: 7,
      name: 'Gaps',
      logic: allOf(reads('match_price')),
      lists: null,
      problem: null,
    };
    const follows = (op: Condition['op']): Logic => allOf(is({ type: 'scan', id: 7, name: 'Gaps' }, op, 0.5));
    expect(isUntilOpen(follows('crosses_above'), () => scan)).toBe(true);
    expect(isUntilOpen(follows('crosses_above'), () => ({ ...scan, logic: allOf(reads('last')) }))).toBe(
      false,
    );
    expect(isUntilOpen(follows('crosses_above'), NO_SCANS)).toBe(false);
  });
});

describe('an alert continues after the open', () => {
  const goesOn = (...conditions: Logic['conditions']): Logic | null => {
    const changed = goingOn(draftOf(allOf(...conditions)), NO_SCANS);
    return changed && logicOf(changed);
  };

  test('if Last is an alternative to each match price', () => {
    expect(goesOn(reads('volume'), reads('match_price', 'crosses_above', 0.052))).toEqual(
      allOf(
        reads('volume'),
        anyOf(reads('match_price', 'crosses_above', 0.052), reads('last', 'crosses_above', 0.052)),
      ),
    );
    expect(goesOn(anyOf(reads('match_price'), reads('match_vol')))).toEqual(
      allOf(anyOf(reads('match_price'), reads('match_vol'), reads('last'))),
    );
  });

  test('but Last is not offered if it does not help', () => {
    expect(goesOn(reads('match_vol'))).toBeNull();
    expect(goesOn(reads('match_price'), reads('match_vol'))).toBeNull();
    expect(goesOn(reads('last'))).toBeNull();
    expect(goesOn(...Array.from({ length: 11 }, (_, index) => reads('match_price', '>', index)))).toBeNull();
  });
});

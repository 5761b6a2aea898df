import { describe, expect, test } from 'bun:test';
import { comparisonText } from '../../../../src/subjects/alerts/rules/evaluationText.ts';
import { seenText } from '../../../../src/subjects/alerts/rules/seenText.ts';
import { askingScan, changeCondition, scanAskedOf } from '../../../../src/subjects/conditions/rules/draft.ts';
import { logicText } from '../../../../src/subjects/conditions/rules/logicText.ts';
import type { ScanQuestion } from '../../../../src/subjects/conditions/rules/scanFields.ts';
import { createAlertStage } from '../../../support/alertStage.ts';
import { allOf, field, is, LAST } from '../../../support/conditions.ts';

const SMALL = 'in_intra_day_small';

const scan = (question: ScanQuestion, key = SMALL) => {
  const { op } = askingScan(question);
  return allOf(is(field(key), op, 0.5));
};

/** Under $1, with enough traded to stand in the scanner; up when above 0.50. */
const abc = (last: number, more = {}) => ({
  ...{ code: 'ABC', status: 'Open' as const, open: 0.5, close: 0.5, vwap: 0.55, volume: 1_000_000 },
  ...{ last, high: 0.6, low: 0.4, ...more },
});

describe('an alert on a scan', () => {
  test('fires when the stock enters, not because it is in already', () => {
    const stage = createAlertStage();
    stage.tick(abc(0.55));
    stage.add({ symbol: 'ABC', logic: scan('enters'), persistent: true });
    stage.tick(abc(0.56));
    expect(stage.fired).toHaveLength(0);
    stage.tick(abc(0.45));
    expect(stage.fired).toHaveLength(0);
    stage.tick(abc(0.55));
    expect(stage.fired).toHaveLength(1);
  });

  test('fires when it leaves: by its price, or with too little traded', () => {
    const stage = createAlertStage();
    stage.add({ symbol: 'ABC', logic: scan('leaves'), persistent: false });
    stage.tick(abc(0.55));
    stage.tick(abc(0.45));
    const [trigger] = stage.rows.triggers();
    expect(trigger?.seen.map(seenText)).toEqual(['left Intra-Day < $1 Scan']);
    expect(trigger?.seen.map(comparisonText)).toEqual([
      'Intra-Day < $1 Scan: the stock is not in it, asked for: leaves',
    ]);
    const small = createAlertStage();
    small.add({ symbol: 'ABC', logic: scan('leaves') });
    small.tick(abc(0.55));
    small.tick(abc(0.55, { vwap: 0.5, volume: 100, value: 50 }));
    expect(small.fired).toHaveLength(1);
  });

  test('the pre-market scan goes on before the open; every group of prices counts', () => {
    const stage = createAlertStage();
    const auction = (price: number) => ({
      ...{ code: 'ABC', status: 'Pre Open' as const, close: 5, match_price: price, match_vol: 10_000 },
    });
    stage.add({ symbol: 'ABC', logic: scan('enters', 'in_pre_market') });
    stage.tick(auction(4.9));
    stage.tick(auction(5.2));
    expect(stage.fired).toHaveLength(1);
  });

  test('nothing is decided while it is halted', () => {
    const stage = createAlertStage();
    stage.add({ symbol: 'ABC', logic: scan('leaves') });
    stage.tick(abc(0.55));
    stage.tick(abc(0.55, { status: 'Halted' }));
    expect(stage.fired).toHaveLength(0);
  });
});

describe('its words', () => {
  const words: [ScanQuestion, string][] = [
    ['enters', 'enters Intra-Day < $1 Scan'],
    ['leaves', 'leaves Intra-Day < $1 Scan'],
    ['in', 'is in Intra-Day < $1 Scan'],
    ['out', 'is not in Intra-Day < $1 Scan'],
  ];
  for (const [question, text] of words) {
    test(text, () => expect(logicText(scan(question), null)).toBe(text));
  }

  test('a side that becomes a scan asks who enters, and another one asks anew', () => {
    const before = { id: 0, lhs: LAST, op: '>', rhs: null } as const;
    const asked = changeCondition(before, { lhs: field(SMALL) });
    expect(scanAskedOf(asked)).toBe('enters');
    expect(changeCondition(asked, { lhs: LAST })).toMatchObject({ op: '>', rhs: null });
  });
});

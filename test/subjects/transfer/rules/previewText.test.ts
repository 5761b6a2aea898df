import { describe, expect, test } from 'bun:test';
import {
  callsText,
  type KindPreview,
  kindText,
  namesText,
  takenCount,
} from '../../../../src/subjects/transfer/rules/previewText.ts';

const alerts = (change: Partial<KindPreview>): KindPreview => ({
  ...{ kind: 'alerts', found: 12, isChosen: true, added: 0, changed: 0, same: 0, leftOut: [], notes: [] },
  ...change,
});
const told = (count: number) => ({ text: 'Why.', count, names: ['BHP', 'CBA'] });

describe('a preview in words', () => {
  test('counts what becomes of the things of a kind', () => {
    const mixed = alerts({ added: 9, same: 2, leftOut: [told(1)] });
    expect(kindText(mixed)).toBe('12 alerts: 9 new, 2 the same, 1 left out');
    expect(kindText(alerts({ same: 12 }))).toBe('12 alerts: all the same');
    expect(kindText(alerts({ found: 1, added: 1 }))).toBe('1 alert: new');
    expect(kindText(alerts({ isChosen: false }))).toBe('12 alerts, not taken');
    expect(takenCount([mixed, alerts({ changed: 2 })])).toBe(11);
  });

  test('names the first of many, and says why calls stay out', () => {
    expect(namesText(told(2))).toBe('BHP, CBA.');
    expect(namesText(told(5))).toBe('BHP, CBA and 3 more.');
    expect(callsText(0)).toBeNull();
    expect(callsText(2)).toStartWith('2 calls are in the file, and stay out');
  });
});

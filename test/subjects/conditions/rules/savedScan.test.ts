import { describe, expect, test } from 'bun:test';
import { checkAlertLogic } from '../../../../src/subjects/alerts/rules/alertRules.ts';
import { seenInFull, seenText } from '../../../../src/subjects/alerts/rules/seenText.ts';
import { checkLogic } from '../../../../src/subjects/conditions/rules/checkLogic.ts';
import type { Logic } from '../../../../src/subjects/conditions/rules/condition.ts';
import {
  changeCondition,
  draftOf,
  draftRefusal,
  logicOf,
  NO_SCAN,
} from '../../../../src/subjects/conditions/rules/draft.ts';
import { logicText } from '../../../../src/subjects/conditions/rules/logicText.ts';
import {
  followedScans,
  logicKey,
  type SavedScan,
  withoutScans,
  withScanNames,
} from '../../../../src/subjects/conditions/rules/savedScan.ts';
import { builtInCatalog } from '../../../../src/market/indicators/rules/builtInCatalog.ts';
import { readLogic } from '../../../../src/subjects/conditions/answers/logic.ts';
import { allOf, anyOf, field, is, LAST, number } from '../../../support/conditions.ts';

const catalog = builtInCatalog();
const aScan = (
  id: number,
  logic: Logic = allOf(is(LAST, '>', 1)),
  more: Partial<SavedScan> = {},
): SavedScan => ({
  ...{ id, name: `Scan ${id}`, logic, lists: null, problem: null },
  ...more,
});
const scans =
  (...list: SavedScan[]) =>
  (id: number) =>
    list.find((scan) => scan.id === id) ?? null;
const scan = (id: number, name = `Scan ${id}`) => ({ type: 'scan', id, name }) as const;
const enters = (id: number) => is(scan(id), 'crosses_above', 0.5);
const check = (sent: unknown, ...list: SavedScan[]) =>
  checkAlertLogic(catalog, sent, followedScans(scans(...list)));
const refusalOf = (sent: unknown, ...list: SavedScan[]) => {
  const checked = check(sent, ...list);
  return checked.ok ? null : checked.error;
};

describe('a condition on a saved scan', () => {
  test('takes the name that the scan has, whatever was sent', () => {
    const sent = allOf(is(scan(7, 'Other'), 'crosses_above', 0.5));
    expect(check(sent, aScan(7))).toEqual({ ok: true, value: allOf(enters(7)) });
    const bare = { op: 'AND', conditions: [{ lhs: { type: 'scan', id: 7 }, op: '<', rhs: 0.5 }] };
    expect(check(bare, aScan(7))).toEqual({ ok: true, value: allOf(is(scan(7), '<', 0.5)) });
  });

  test('is refused without such a scan of the owner’s', () => {
    expect(refusalOf(allOf(enters(7)))).toEqual({
      field: 'logic_json.conditions[0].lhs.id',
      message: 'Condition 1: Your scan "Scan 7" does not exist any more. Choose another one.',
    });
    for (const id of [1.5, '7', null, Number.MAX_VALUE]) {
      const sent = { op: 'AND', conditions: [{ lhs: { type: 'scan', id }, op: '>', rhs: 0.5 }] };
      expect(refusalOf(sent, aScan(7))?.field).toBe('logic_json.conditions[0].lhs.id');
    }
  });

  test('is refused where the scan looks for a crossing, in a group too, has no conditions, or reads what is gone', () => {
    const crossing = is(LAST, 'crosses_below', 2);
    for (const logic of [allOf(crossing), allOf(is(LAST, '>', 1), anyOf(crossing))]) {
      expect(refusalOf(allOf(enters(7)), aScan(7, logic))?.message).toContain('looks for a crossing');
    }
    expect(refusalOf(allOf(enters(7)), aScan(7, allOf()))?.message).toContain('has no conditions');
    const problem = 'The indicator "gone" is not in the catalog.';
    expect(refusalOf(allOf(enters(7)), aScan(7, undefined, { problem }))?.message).toBe(
      `Condition 1: Your scan "Scan 7" can't be followed: ${problem}`,
    );
  });

  test('asks one of four things, on the left side', () => {
    const list = [aScan(7)];
    expect(refusalOf(allOf(is(scan(7), '==', 1)), ...list)?.field).toBe('logic_json.conditions[0].op');
    expect(refusalOf(allOf(is(scan(7), '>', 1)), ...list)?.field).toBe('logic_json.conditions[0].rhs');
    expect(refusalOf(allOf(is(LAST, '>', scan(7))), ...list)?.field).toBe('logic_json.conditions[0].rhs');
  });

  test('stands in alerts alone, on four scans at most', () => {
    const five = [1, 2, 3, 4, 5];
    const list = five.map((id) => aScan(id));
    expect(refusalOf(allOf(...five.map(enters)), ...list)?.message).toBe(
      'An alert reads at most 4 saved scans.',
    );
    expect(check(allOf(...[1, 2, 3, 4, 4, 4].map(enters)), ...list).ok).toBe(true);
    const inScan = checkLogic(catalog, allOf(enters(1)));
    expect(inScan.ok ? null : inScan.error).toMatchObject({
      field: 'conditions[0].lhs',
      message: 'Condition 1: A scan reads no saved scan; an alert does.',
    });
  });

  test('is read by the page as it is sent', () => {
    const logic = allOf(anyOf(enters(7), is(LAST, '>', 2)));
    expect(readLogic(JSON.parse(JSON.stringify(logic)))).toEqual(logic);
    expect(readLogic(allOf(is(LAST, '>', scan(7))))).toBeNull();
  });
});

describe('conditions with saved scans', () => {
  const logic = allOf(enters(1), anyOf(enters(2), is(LAST, '>', 2)), anyOf(enters(2)));

  test('are left with the others alone', () =>
    expect(withoutScans(logic)).toEqual(allOf(anyOf(is(LAST, '>', 2)))));

  test('take the names that the scans have now; one that was deleted keeps its last', () => {
    const named = withScanNames(logic, scans(aScan(1, undefined, { name: 'Dips' })));
    expect(logicText(named, null)).toBe(
      'enters my scan Dips and any of (enters my scan Scan 2 or Last above 2) and enters my scan Scan 2',
    );
  });

  test('ask the same under another name, and something else with other conditions or without the scan', () => {
    const key = logicKey(logic, scans(aScan(1), aScan(2)));
    expect(
      logicKey(withScanNames(logic, scans(aScan(1, undefined, { name: 'Dips' }))), scans(aScan(1), aScan(2))),
    ).toBe(key);
    expect(logicKey(logic, scans(aScan(1, allOf(is(LAST, '>', 3))), aScan(2)))).not.toBe(key);
    expect(logicKey(logic, scans(aScan(1)))).not.toBe(key);
  });
});

describe('its words', () => {
  const seen = {
    left: { text: 'my scan Breakouts', value: 1, before: 0 },
    op: 'crosses_above' as const,
    right: { text: '0.5', value: 0.5, before: 0.5 },
    holds: true,
  };
  test('say what happened, in a message and in full', () => {
    expect(seenText(seen)).toBe('entered my scan Breakouts');
    expect(seenInFull(seen)).toBe('Yes: enters my scan Breakouts: in it (before not in it)');
    expect(
      seenInFull({ ...seen, op: '<', left: { text: 'Pre-Market Scan', value: null }, holds: null }),
    ).toBe('Not checked: is not in Pre-Market Scan: not known');
  });

  test('keep to one line, whatever the scan is called', () =>
    expect(seenText({ ...seen, left: { text: 'my scan A\n\u202eB', value: 1 } })).toBe(
      'entered my scan A B',
    ));
});

describe('while it is edited', () => {
  const draft = { id: 0, lhs: LAST, op: '>', rhs: number(3) } as const;

  test('it asks who enters, also after a scanner that was compared in another way', () => {
    expect(changeCondition(draft, { lhs: scan(7) })).toMatchObject(enters(7));
    const compared = { ...draft, lhs: field('in_pre_market'), op: '==' as const, rhs: number(1) };
    expect(changeCondition(compared, { lhs: scan(7) })).toMatchObject(enters(7));
    const leaving = changeCondition(changeCondition(draft, { lhs: scan(7) }), { op: 'crosses_below' });
    expect(changeCondition(leaving, { lhs: scan(8) })).toMatchObject({ lhs: scan(8), op: 'crosses_below' });
  });

  test('it is not whole until a scan is chosen', () => {
    const empty = changeCondition(draft, { lhs: NO_SCAN });
    expect(draftRefusal(empty)?.field).toBe('lhs');
    expect(logicOf([empty])).toEqual(allOf());
    expect(logicOf(draftOf(allOf(enters(7))))).toEqual(allOf(enters(7)));
  });
});

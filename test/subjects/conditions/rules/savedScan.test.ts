import { describe, expect, test } from 'bun:test';
import { checkAlertLogic } from '#subjects/alerts/rules/alertRules.ts';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import {
  followedScans,
  logicKey,
  type SavedScan,
  watchable,
  withScanNames,
} from '#subjects/conditions/rules/savedScan.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { allOf, anyOf, is, LAST } from '#support/conditions.ts';
import { checkScanLists, listProblem, withListName } from '#subjects/conditions/rules/scanLists.ts';

const catalog = builtInCatalog();
const aScan = (
  id: number,
  logic: Logic = allOf(is(LAST, '>', 1)),
  more: Partial<SavedScan> = {},
): SavedScan => ({
  id,
  name: `Scan ${id}`,
  logic,
  lists: null,
  problem: null,
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
  test('has the current name of the scan, whatever was sent', () => {
    const sent = allOf(is(scan(7, 'Other'), 'crosses_above', 0.5));
    expect(check(sent, aScan(7))).toEqual({ ok: true, value: allOf(enters(7)) });
    const bare = { op: 'AND', conditions: [{ lhs: { type: 'scan', id: 7 }, op: '<', rhs: 0.5 }] };
    expect(check(bare, aScan(7))).toEqual({ ok: true, value: allOf(is(scan(7), '<', 0.5)) });
  });

  test('is refused unless the owner has such a scan', () => {
    expect(refusalOf(allOf(enters(7)))).toEqual({
      field: 'logic_json.conditions[0].lhs.id',
      message: 'Condition 1: Your scan "Scan 7" no longer exists. Choose another one.',
    });
    for (const id of [1.5, '7', null, Number.MAX_VALUE]) {
      const sent = { op: 'AND', conditions: [{ lhs: { type: 'scan', id }, op: '>', rhs: 0.5 }] };
      expect(refusalOf(sent, aScan(7))?.field).toBe('logic_json.conditions[0].lhs.id');
    }
  });

  test('is refused if the scan has a crossing, even in a group, no conditions, or a missing value', () => {
    const crossing = is(LAST, 'crosses_below', 2);
    for (const logic of [allOf(crossing), allOf(is(LAST, '>', 1), anyOf(crossing))]) {
      expect(refusalOf(allOf(enters(7)), aScan(7, logic))?.message).toContain('uses a crossing');
    }
    expect(refusalOf(allOf(enters(7)), aScan(7, allOf()))?.message).toContain('has no conditions');
    const problem = 'The indicator "gone" is not in the catalog.';
    expect(refusalOf(allOf(enters(7)), aScan(7, undefined, { problem }))?.message).toBe(
      `Condition 1: Your scan "Scan 7" can't be watched: ${problem}`,
    );
  });

  test('is allowed only in alerts, on four scans at most', () => {
    const five = [1, 2, 3, 4, 5];
    const list = five.map((id) => aScan(id));
    expect(refusalOf(allOf(...five.map(enters)), ...list)?.message).toBe(
      'An alert can use at most 4 saved scans.',
    );
    expect(check(allOf(...[1, 2, 3, 4, 4, 4].map(enters)), ...list).ok).toBe(true);
    const inScan = checkLogic(catalog, allOf(enters(1)));
    expect(inScan.ok ? null : inScan.error).toMatchObject({
      field: 'conditions[0].lhs',
      message: "Condition 1: A scan can't use a saved scan. An alert can.",
    });
  });
});

test('is equal after a rename of the scan, and different after an edit or deletion', () => {
  const logic = allOf(enters(1), anyOf(enters(2), is(LAST, '>', 2)), anyOf(enters(2)));
  const key = logicKey(logic, scans(aScan(1), aScan(2)));
  expect(
    logicKey(withScanNames(logic, scans(aScan(1, undefined, { name: 'Dips' }))), scans(aScan(1), aScan(2))),
  ).toBe(key);
  expect(logicKey(logic, scans(aScan(1, allOf(is(LAST, '>', 3))), aScan(2)))).not.toBe(key);
  expect(logicKey(logic, scans(aScan(1)))).not.toBe(key);
});

describe('the lists of a scan', () => {
  const LISTS = [
    { id: 3, name: 'Miners' },
    { id: 4, name: 'Banks' },
  ];
  const MINERS = { side: 'on', id: 3, name: 'Miners' } as const;
  const checked = (sent: unknown) => {
    const result = checkScanLists(sent, LISTS);
    return result.ok ? result.value : [result.error.field, result.error.message];
  };

  test('are all or one of its owner’s lists, with its own name', () => {
    expect(checked(null)).toBeNull();
    expect(checked({ side: 'off', id: null, name: 'x' })).toEqual({ side: 'off', id: null, name: null });
    expect(checked({ side: 'on' })).toEqual({ side: 'on', id: null, name: null });
    expect(checked({ side: 'on', id: 3, name: 'Nonsense' })).toEqual(MINERS);
  });

  test('refuse invalid input with a message', () => {
    expect(checked({ side: 'on', id: 9 })).toEqual(['id', 'That list no longer exists. Choose another one.']);
    expect(checked({ side: 'beside', id: 3 })).toEqual(['side', 'The side must be "on" or "off".']);
    expect(checked('Miners')).toEqual([
      null,
      '`lists` must have a side and the id of one list, or null for all lists.',
    ]);
  });

  test('have their current name, or their last name once deleted', () => {
    const renamed = [{ id: 3, name: 'Diggers' }];
    expect(withListName(MINERS, renamed)).toEqual({ ...MINERS, name: 'Diggers' });
    expect(listProblem(MINERS, renamed)).toBeNull();
    expect(withListName(MINERS, [])).toEqual(MINERS);
    expect(listProblem(MINERS, [])).toBe('Your list “Miners” was deleted.');
    expect(listProblem({ side: 'on', id: null, name: null }, [])).toBeNull();
    expect(listProblem(null, [])).toBeNull();
  });

  test('are refused for an alert on one stock, with advice', () => {
    const logic = allOf(is(LAST, '>', 50));
    const scan = aScan(7, logic, { lists: MINERS });
    expect(watchable(scan)).toBeNull();
    expect(watchable(aScan(7, logic))).toBe(logic);
    const refused = followedScans(() => scan)({ type: 'scan', id: 7 });
    expect(refused.ok ? null : refused.error.message).toBe(
      'Your scan "Scan 7" filters by your lists, which an alert on one stock can\'t use. Remove the lists from the scan, or set an alert on the whole scan.',
    );
  });
});

import { expect, test } from 'bun:test';
import {
  checkScanLists,
  isOnSide,
  listProblem,
  readScanLists,
  scanListsText,
  withListName,
} from '../../../../src/subjects/conditions/rules/scanLists.ts';
import { followedScans, watchable } from '../../../../src/subjects/conditions/rules/savedScan.ts';
import { allOf, is, LAST } from '../../../support/conditions.ts';
import { aScan } from '../../../support/scanAlertStage.ts';

const LISTS = [
  { id: 3, name: 'Miners' },
  { id: 4, name: 'Banks' },
];
const MINERS = { side: 'on', id: 3, name: 'Miners' } as const;
const checked = (sent: unknown) => {
  const result = checkScanLists(sent, LISTS);
  return result.ok ? result.value : [result.error.field, result.error.message];
};

test('the lists of a scan are all or one of its owner’s, by its own name', () => {
  expect(checked(null)).toBeNull();
  expect(checked({ side: 'off', id: null, name: 'x' })).toEqual({ side: 'off', id: null, name: null });
  expect(checked({ side: 'on' })).toEqual({ side: 'on', id: null, name: null });
  expect(checked({ side: 'on', id: 3, name: 'Nonsense' })).toEqual(MINERS);
});

test('what can’t be is refused with a sentence', () => {
  expect(checked({ side: 'on', id: 9 })).toEqual([
    'id',
    'That list does not exist any more. Choose another one.',
  ]);
  expect(checked({ side: 'on', id: '3' })).toEqual([
    'id',
    'That list does not exist any more. Choose another one.',
  ]);
  expect(checked({ side: 'beside', id: 3 })).toEqual([
    'side',
    'A scan looks at stocks "on" lists or "off" them.',
  ]);
  expect(checked('Miners')).toEqual([
    null,
    'The lists of a scan have a side and the id of one list, or null for all.',
  ]);
});

test('a list is called what it is called now, and a deleted one what it was called last', () => {
  const renamed = [{ id: 3, name: 'Diggers' }];
  expect(withListName(MINERS, renamed)).toEqual({ ...MINERS, name: 'Diggers' });
  expect(listProblem(MINERS, renamed)).toBeNull();
  expect(withListName(MINERS, [])).toEqual(MINERS);
  expect(listProblem(MINERS, [])).toBe('Your list “Miners” was deleted.');
  expect(listProblem({ side: 'on', id: null, name: null }, [])).toBeNull();
  expect(listProblem(null, [])).toBeNull();
});

test('a stock is on one side of them, and words say which', () => {
  const listed = new Set(['BHP']);
  expect(['BHP', 'CBA'].map((code) => isOnSide('on', listed, code))).toEqual([true, false]);
  expect(['BHP', 'CBA'].map((code) => isOnSide('off', listed, code))).toEqual([false, true]);
  expect([MINERS, { ...MINERS, side: 'off' as const }].map(scanListsText)).toEqual([
    'on my list “Miners”',
    'not on my list “Miners”',
  ]);
  expect((['on', 'off'] as const).map((side) => scanListsText({ side, id: null, name: null }))).toEqual([
    'on my lists',
    'not on my lists',
  ]);
});

test('what was kept is read tolerantly', () => {
  expect(readScanLists(MINERS)).toEqual(MINERS);
  expect([null, 'on', {}, { side: 'x' }].map(readScanLists)).toEqual([null, null, null, null]);
});

test('an alert on one stock follows no scan by lists, and says what to do', () => {
  const logic = allOf(is(LAST, '>', 50));
  const scan = aScan(logic, { lists: MINERS });
  expect(watchable(scan)).toBeNull();
  expect(watchable(aScan(logic))).toBe(logic);
  const refused = followedScans(() => scan)({ type: 'scan', id: 1 });
  expect(refused.ok ? null : refused.error.message).toBe(
    'Your scan "Breakouts" looks by your lists, which an alert on one stock can\'t follow. Take the lists out of it, or set an alert on the whole scan.',
  );
});

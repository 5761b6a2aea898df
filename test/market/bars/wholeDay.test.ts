import { expect, test } from 'bun:test';
import { wholeDayOf } from '../../../src/market/bars/rules/wholeDay.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';

test.each([
  ['an ordinary day', '2026-11-26', 16, 11],
  ['the day before Christmas, which closes early', '2026-12-24', 14, 21],
])('%s goes from 10:00 until its closing auction is over', (_name, date, hour, minute) => {
  expect(wholeDayOf(date)).toEqual({ from: fromSydney(date, 10, 0), until: fromSydney(date, hour, minute) });
});

test.each(['2026-11-28', '2026-12-25'])('%s has no trading', (date) => {
  expect(wholeDayOf(date)).toBeNull();
});

import { expect, test } from 'bun:test';
import { adjustedTexts } from '../../../../src/subjects/stock/web/shared/chart/adjustedTexts.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { barsOf } from '../../../support/chartBars.ts';

const ADJUSTED = [
  { date: '2026-06-01', factor: 0.25, at: 0 },
  { date: '2026-11-24', factor: 15, at: 0 },
];
const said = (tf: '1' | 'D', first: number) =>
  adjustedTexts({
    tf,
    bars: barsOf(first, 60_000, [1]),
    unknown: [],
    knownSince: null,
    adjustments: ADJUSTED,
  });

test('a chart says for which day and factor its bars are adjusted', () => {
  expect(said('D', Date.UTC(2026, 4, 1))).toEqual([
    'Prices before 1 June 2026 are adjusted for a split or consolidation (÷ 4).',
    'Prices before 24 Nov 2026 are adjusted for a split or consolidation (× 15).',
  ]);
  expect(said('1', fromSydney('2026-11-23', 15, 0))).toHaveLength(1);
});

test('a chart that begins with the new prices says nothing', () => {
  expect(said('D', Date.UTC(2026, 10, 24))).toEqual([]);
  expect(said('1', fromSydney('2026-11-24', 10, 0))).toEqual([]);
});

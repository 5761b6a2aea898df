import { expect, test } from 'bun:test';
import { formatRank } from '../../../../src/subjects/calls/rules/callFormat.ts';
import { rankSubmitters } from '../../../../src/subjects/calls/rules/leaderboardRank.ts';
import { rankOrder } from '../../../../src/subjects/calls/web/parts/OtherRanks.tsx';
import { tallyOf } from '../../../support/rankBoards.ts';

const DAY = 86_400_000;

/** This many results of a day each, in turn. */
const tally = (display: string, count: number, ...percents: number[]) =>
  tallyOf(
    display,
    Array.from({ length: count }, (_, index) => ({
      percent: percents[index % percents.length] ?? 0,
      market: null,
      symbol: `S${index}`,
      from: index * DAY,
      until: index * DAY + 1000,
    })),
  );

test('sorted by rank the table stands as the server ranks, those without a rank by their mean', () => {
  const ranked = rankSubmitters([
    tally('Aloss', 30, -1.6),
    tally('Beginner', 3, 9),
    tally('Cnone', 0),
    tally('Dgain', 25, 20, -17),
    tally('Gprovisional', 5, 40),
    tally('Eproven', 60, 40),
    tally('Fbetter', 60, 50),
  ]);
  const shown = ranked.toReversed().sort((a, b) => rankOrder(a.metrics) - rankOrder(b.metrics));
  expect(shown.map(({ submitter }) => submitter.display)).toEqual([
    ...['Fbetter', 'Eproven', 'Gprovisional', 'Dgain', 'Aloss', 'Beginner', 'Cnone'],
  ]);
  expect(shown).toEqual(ranked);
  expect(shown.map(({ metrics }) => formatRank(metrics))).toEqual([
    ...['1', '2', '3 provisional', 'No rank', 'No rank'],
    ...['Too few to rank (3 of 10 days)', 'Too few to rank (0 of 10 days)'],
  ]);
});

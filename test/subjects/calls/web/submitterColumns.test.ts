import { expect, test } from 'bun:test';
import { rankSubmitters, type Tally } from '../../../../src/subjects/calls/rules/leaderboardRank.ts';
import { rankOrder } from '../../../../src/subjects/calls/web/parts/OtherRanks.tsx';

const DAY = 86_400_000;

/** This many results of a day each, in turn. */
const tally = (display: string, count: number, ...percents: number[]): Tally => ({
  display,
  ...{ pending: 0, open: 0, closed: count, cancelled: 0, pocketed: 0, pocketedCount: 0 },
  results: Array.from({ length: count }, (_, index) => ({
    percent: percents[index % percents.length] ?? 0,
    symbol: `S${index}`,
    from: index * DAY,
    until: index * DAY + 1000,
  })),
});

test('sorted by rank the table stands as the server ranks, those without a rank by their mean', () => {
  const ranked = rankSubmitters([
    tally('Aloss', 30, -1.6),
    tally('Beginner', 3, 9),
    tally('Cnone', 0),
    tally('Dgain', 25, 20, -11.2),
    tally('Eproven', 60, 40),
    tally('Fbetter', 60, 50),
  ]);
  const shown = ranked.toReversed().sort((a, b) => rankOrder(a.metrics) - rankOrder(b.metrics));
  expect(shown.map(({ submitter }) => submitter.display)).toEqual([
    ...['Fbetter', 'Eproven', 'Dgain', 'Aloss', 'Beginner', 'Cnone'],
  ]);
  expect(shown).toEqual(ranked);
});

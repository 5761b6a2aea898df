import type { OddsResult, OddsSample } from '#subjects/odds/rules/result.ts';

/** Figures of 412 entries on 58 days that lost 1.2 % a trade. */
export const anOddsSample = (part: Partial<OddsSample> = {}): OddsSample => ({
  entries: 412,
  stocks: 96,
  days: 58,
  mean: -1.2,
  low: -1.5,
  high: -0.9,
  median: -1,
  winners: 38.4,
  profitFactor: 0.71,
  best: 22,
  worst: -14,
  meanBefore: 0.1,
  isTooFew: false,
  ...part,
});

/** The result of three sessions, of which the last one is held out. */
export const anOddsResult = (part: Partial<OddsResult> = {}): OddsResult => ({
  sessions: 3,
  all: anOddsSample(),
  earlier: anOddsSample({ entries: 276, mean: -1.1 }),
  heldOut: anOddsSample({ entries: 136, mean: -1.4 }),
  heldOutFrom: '2026-11-20',
  leftOut: { noFill: 12, noExit: 0, gap: 1 },
  distribution: { edges: [-5, 0, 5], counts: [40, 214, 150, 8] },
  days: {
    dates: ['2026-11-18', '2026-11-19', '2026-11-20'],
    entries: [200, 0, 212],
    sums: [100, 0, -594.4],
    sumsBefore: [300, 0, -258.8],
    gapMinutes: [0, 0, 34],
  },
  byHour: [{ label: '10:00', sample: anOddsSample({ entries: 300, mean: 0.4 }) }],
  byPrice: [{ label: 'Under $0.02', sample: anOddsSample({ entries: 100, mean: -6 }) }],
  byNews: [{ label: 'With announcements', sample: anOddsSample({ entries: 50, mean: 0.8 }) }],
  notes: ['The conditions on your watchlist were left out.'],
  ...part,
});

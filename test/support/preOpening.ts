import type { PreOpenSnapshot } from '#market/rules/stock.ts';

/** The last pre-open values of a stock, for its `preOpen`. */
export const preOpening = (change: Partial<PreOpenSnapshot> = {}): { snapshot: PreOpenSnapshot } => ({
  snapshot: {
    capturedAt: '2026-11-19T22:59:00.000Z',
    indicativeChangePercent: 7,
    match_price: 0.6,
    match_vol: 100_000,
    match_value: 60_000,
    buy_surplus: 0,
    ...change,
  },
});

import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { roundToStep } from '#market/rules/priceStep.ts';

export type PricedStock = { code: string; last: number };

export type DemoAlert = { symbol: string; name: string; persistent: boolean; logic: Logic };

const WANTED = ['BHP', 'CBA', 'WDS', 'FMG', 'WES', 'NAB', 'CSL', 'RIO'];
const DEMO_SYMBOLS = 4;

const field = (key: string) => ({ type: 'field', key }) as const;
const number = (value: number) => ({ type: 'number', value }) as const;

/** Up to four listings for a demo user's watchlist. */
export function demoWatchlist(stocks: readonly PricedStock[]): PricedStock[] {
  const byCode = new Map(stocks.map((stock) => [stock.code, stock]));
  const wanted = WANTED.flatMap((code) => byCode.get(code) ?? []);
  return [...new Set([...wanted, ...stocks])].slice(0, DEMO_SYMBOLS);
}

/**
 * Two demo alerts: a price above the last one, and a rise with volume. They read only fields and should not fire in a
 * demo's first minutes.
 */
export function demoAlerts(watched: readonly PricedStock[]): DemoAlert[] {
  const [first, second] = watched;
  const breakout = first && {
    symbol: first.code,
    name: 'Breakout',
    persistent: true,
    logic: {
      op: 'AND' as const,
      conditions: [
        {
          lhs: field('last'),
          op: 'crosses_above' as const,
          rhs: number(roundToStep(first.last * 1.03)),
        },
      ],
    },
  };
  const rise = second && {
    symbol: second.code,
    name: 'Busy rise',
    persistent: false,
    logic: {
      op: 'AND' as const,
      conditions: [
        { lhs: field('change_percent'), op: '>' as const, rhs: number(4) },
        { lhs: field('relativeVolume'), op: '>' as const, rhs: number(2) },
      ],
    },
  };
  return [breakout, rise].filter((alert) => alert !== undefined);
}

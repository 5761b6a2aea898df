import { type DemandItem, demandItemId } from '../../../market/indicators/rules/demandItem.ts';
import { valueKeyOf } from '../../../market/indicators/rules/indicatorKey.ts';
import type { Stock } from '../../../market/rules/stock.ts';
import type { RecordedBase, Recording } from '../../../market/recording/types.ts';

/** So far into a recording its updates tell whether its provider brought indicators. */
const LOOK_MS = 120_000;

/** Whether the provider that was recorded brings indicators with its prices. */
export function bringsIndicators(recording: Pick<Recording, 'from' | 'until' | 'events'>): boolean {
  const until = Math.min(recording.until, recording.from + LOOK_MS);
  for (const event of recording.events(recording.from, until)) {
    if (event.kind !== 'stocks') continue;
    if (event.updates.some(({ indicators, htf }) => indicators || htf)) return true;
  }
  return false;
}

/** A record without what this server puts into it: announcements, and the indicators that it computes. */
function withoutOwn(stock: Stock, keepsIndicators: boolean): Stock {
  const { news: _news, indicators, htf, ...rest } = stock;
  if (!keepsIndicators) return rest;
  return { ...rest, ...(indicators && { indicators }), ...(htf && { htf }) };
}

/** The stocks of a base state as this server begins with them. */
export const stocksOf = ({ stocks }: Pick<RecordedBase, 'stocks'>, keepsIndicators: boolean): Stock[] =>
  stocks.map((stock) => withoutOwn(stock, keepsIndicators));

/** Whether one of these stocks has a value of the provider's, so that it is not computed here. */
export function createHas(stocks: readonly Stock[]): (item: DemandItem) => boolean {
  const known = new Map<string, boolean>();
  return (item) => {
    const key = demandItemId(item);
    const before = known.get(key);
    if (before !== undefined) return before;
    const has = stocks.some(({ indicators, htf }) =>
      item.kind === 'htf'
        ? htf?.[item.choice.period]?.[item.choice.field] !== undefined
        : indicators?.[item.choice.tf]?.[item.key]?.[valueKeyOf(item.choice.delay)] !== undefined,
    );
    known.set(key, has);
    return has;
  };
}

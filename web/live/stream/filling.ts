import type { MarketDelta, MarketState, ToWindow } from './protocol.ts';
import { NO_FX } from './view.ts';

/** Collects the deltas that make an incomplete market whole, and what happens meanwhile. */
export type Filling = {
  add(delta: MarketDelta, receivedAt: number): void;
  /** What brings to `state`, in which the deltas are merged, a window that has what was before the first of them. */
  messages(state: MarketState): ToWindow[];
};

export function createFilling(): Filling {
  const touched = new Set<string>();
  const fx: MarketDelta['fx'][] = [];
  let meta: MarketDelta['meta'] = {};
  let datedAt = 0;
  return {
    add: ({ stocks, ...delta }, receivedAt) => {
      for (const code of [...Object.keys(stocks.upsert), ...stocks.delete]) touched.add(code);
      fx.push(delta.fx);
      meta = { ...meta, ...delta.meta };
      if (delta.meta.marketTime !== undefined) datedAt = receivedAt;
    },
    messages: ({ stocks, changedAt }) => {
      const message = (change: Partial<MarketDelta>) => ({
        type: 'delta' as const,
        delta: { stocks: { upsert: {}, delete: [] }, meta: {}, fx: NO_FX, ...change },
        receivedAt: datedAt,
        changedAt,
      });
      const gone = [...touched].filter((code) => !stocks.has(code));
      const whole = [...touched].flatMap((code) => stocks.get(code) ?? []);
      return [
        { ...message({ stocks: { upsert: {}, delete: gone }, meta }), whole },
        ...fx.filter(isChange).map((change) => message({ fx: change })),
      ];
    },
  };
}

const isChange = ({ upsert, delete: gone, lastUpdated }: MarketDelta['fx']): boolean =>
  Object.keys(upsert).length > 0 || gone.length > 0 || lastUpdated !== null;

import { t } from 'elysia';
import { NO_CODE } from '../../../../market/rules/liveSymbols.ts';

export const symbolQuery = t.Object({
  symbol: t.String({ default: '', minLength: 1, maxLength: 40, error: NO_CODE }),
});

const figures = t.Array(t.Nullable(t.Number()));

export const auctionAnswer = t.Object({
  symbol: t.String(),
  date: t.String(),
  columns: t.Object({ time: t.Array(t.Number()), price: figures, volume: figures, surplus: figures }),
  thinned: t.Boolean(),
});

export const dayEventsAnswer = t.Object({
  symbol: t.String(),
  date: t.String(),
  knownSince: t.Nullable(t.Number()),
  statuses: t.Array(t.Object({ time: t.Number(), status: t.String() })),
  auctions: t.Array(
    t.Object({
      time: t.Number(),
      kind: t.UnionEnum(['open', 'close']),
      price: t.Number(),
      volume: t.Nullable(t.Number()),
    }),
  ),
});

import { t } from 'elysia';

/** Times are epoch ms by the market's clock. */
const period = t.Nullable(
  t.Object({
    from: t.Number(),
    to: t.Number(),
    tradingDays: t.Number(),
    fired: t.Number(),
    times: t.Array(t.Number()),
    closes: t.Array(t.Number()),
  }),
);

export const rehearsalBody = t.Object({
  symbol: t.String({ maxLength: 20, error: 'Symbol is required' }),
  logic_json: t.Unknown(),
});

/** rules/rehearsal.ts: Rehearsal. */
export const rehearsalAnswer = t.Object({
  minutes: period,
  days: period,
  firings: t.Array(
    t.Object({
      at: t.Number(),
      price: t.Number(),
      period: t.Union([t.Literal('minutes'), t.Literal('days')]),
    }),
  ),
  perDay: t.Number(),
  busiestDay: t.Number(),
  holdsNow: t.Nullable(t.Boolean()),
  tooOften: t.Boolean(),
  notRehearsed: t.Array(t.String()),
});

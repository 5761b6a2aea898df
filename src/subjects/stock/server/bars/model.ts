import { t } from 'elysia';
import { CHART_TIMEFRAMES, MAX_BARS, MAX_DAY_LINES } from '../../../../market/bars/rules/bars.ts';
import { NO_CODE } from '../../../../market/rules/liveSymbols.ts';

const SYMBOLS = `Give at most ${MAX_DAY_LINES} stock codes with commas between, such as symbols=BHP,CBA.`;
const TIMEFRAME = `The timeframe is one of ${CHART_TIMEFRAMES.join(', ')}.`;
const LIMIT = `The limit is a whole number from 1 to ${MAX_BARS}.`;
const BEFORE = 'A moment is given in milliseconds since 1970 (UTC), such as before=1795046400000.';

/** 9999-12-31. */
const LAST_MOMENT = 253_402_214_400_000;

export const barsQuery = t.Object({
  symbol: t.String({ default: '', minLength: 1, maxLength: 40, error: NO_CODE }),
  tf: t.Optional(t.UnionEnum(CHART_TIMEFRAMES, { error: TIMEFRAME })),
  before: t.Optional(t.Numeric({ minimum: 1, maximum: LAST_MOMENT, error: BEFORE })),
  limit: t.Optional(t.Numeric({ minimum: 1, maximum: MAX_BARS, multipleOf: 1, error: LIMIT })),
});

export const dayLinesQuery = t.Object({
  symbols: t.String({ default: '', minLength: 1, maxLength: MAX_DAY_LINES * 12, error: SYMBOLS }),
});

export const tooManySymbols = SYMBOLS;

const span = t.Object({ from: t.Number(), until: t.Number() });
const columns = t.Object({
  time: t.Array(t.Number()),
  open: t.Array(t.Number()),
  high: t.Array(t.Number()),
  low: t.Array(t.Number()),
  close: t.Array(t.Number()),
  volume: t.Array(t.Number()),
});

export const barsAnswer = t.Object({
  symbol: t.String(),
  tf: t.UnionEnum(CHART_TIMEFRAMES),
  bars: columns,
  quote: t.Nullable(
    t.Object({
      date: t.String(),
      last: t.Number(),
      high: t.Number(),
      low: t.Number(),
      volume: t.Nullable(t.Number()),
    }),
  ),
  note: t.Nullable(t.String()),
  knownSince: t.Nullable(t.Number()),
  hasMore: t.Boolean(),
  unknown: t.Array(span),
});

export const dayLinesAnswer = t.Object({
  date: t.String(),
  from: t.Number(),
  slotMinutes: t.Number(),
  lines: t.Record(
    t.String(),
    t.Object({ previousClose: t.Nullable(t.Number()), closes: t.Array(t.Nullable(t.Number())) }),
  ),
  unknown: t.Array(span),
});

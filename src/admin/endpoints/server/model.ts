import { t } from 'elysia';

/** A calendar date by its form; whether there is such a day is asked by `readDate`. */
export const metricsQuery = t.Object({
  date: t.Optional(t.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', error: 'Write the day as YYYY-MM-DD.' })),
});

const metric = t.Object({
  method: t.String(),
  endpoint: t.String(),
  count: t.Integer(),
  errors: t.Integer(),
  averageMs: t.Integer(),
  slowestMs: t.Integer(),
  /** Epoch ms. */
  lastAt: t.Integer(),
  /** Epoch ms; null when none of the day had a usable answer. */
  lastSuccessAt: t.Nullable(t.Integer()),
  lastError: t.Nullable(t.String()),
});

export const metricsAnswer = t.Object({
  metrics: t.Array(metric),
  date: t.String(),
  /** The days of which there are calls, newest first. */
  days: t.Array(t.String()),
});

import { t } from 'elysia';

export const summariseBody = t.Object({
  symbol: t.String({ maxLength: 40, error: 'Symbol is required' }),
});

export const summariseView = t.Object({
  success: t.Literal(true),
  state: t.UnionEnum(['ready', 'queued', 'running']),
  /** Null while it is being written: it comes by the stream. */
  summary: t.Nullable(t.String()),
  message: t.String(),
});

import { t } from 'elysia';

/** What stood there: any JSON, null for nothing. */
const side = t.Unsafe<unknown>(t.Any());

export const auditQuery = t.Object({
  before: t.Optional(
    t.Numeric({ minimum: 1, multipleOf: 1, error: 'The entry to begin after is not a number.' }),
  ),
  action: t.Optional(t.String({ maxLength: 60 })),
  /** An administrator's id; 0 for what the server did by itself. */
  by: t.Optional(t.Numeric({ minimum: 0, multipleOf: 1, error: 'The administrator is not a number.' })),
});

export const auditAnswer = t.Object({
  /** Newest first. */
  entries: t.Array(
    t.Object({
      id: t.Integer(),
      at: t.String({ format: 'date-time' }),
      /** Null for what the server did by itself. */
      by: t.Nullable(t.Object({ id: t.Integer(), display: t.String() })),
      action: t.String(),
      target: t.String(),
      before: side,
      after: side,
      reason: t.Nullable(t.String()),
    }),
  ),
  /** Where the next page begins: `before` of its request; null when there is none. */
  next: t.Nullable(t.Integer()),
  /** What can be asked for. */
  actions: t.Array(t.String()),
  administrators: t.Array(t.Object({ id: t.Integer(), display: t.String() })),
});

import { t } from 'elysia';
import type { ColumnPreferences, DroppedColumns, WaitingColumns } from './columns.ts';

// Made by `normaliseColumns`: typed for the client, not walked through again.
const columnPreferences = t.Unsafe<ColumnPreferences>(t.Any());
const droppedColumns = t.Unsafe<DroppedColumns>(t.Any());

/** How many indicator values are read and may be, and the columns that wait for theirs. */
const values = {
  indicatorValues: t.Object({ limit: t.Integer(), used: t.Integer() }),
  waitingColumns: t.Unsafe<WaitingColumns>(t.Any()),
};

export const settingsView = t.Object({
  username: t.String(),
  subscriptionType: t.UnionEnum(['free', 'basic', 'premium']),
  requestedSubscriptionType: t.Nullable(t.UnionEnum(['basic', 'premium'])),
  /** Why the last request for a plan was declined. */
  upgradeDeclinedReason: t.Nullable(t.String()),
  accessLevel: t.Integer({ minimum: 1, maximum: 4 }),
  /** The quote link, by its name on the wire. */
  quoteSite: t.UnionEnum(['none', 'commsec', 'hotcopper', 'asx', 'google', 'tradingview']),
  columnPreferences,
  droppedColumns: t.Optional(droppedColumns),
  ...values,
});

export const columnsBody = t.Object({
  tableKey: t.String({ maxLength: 40 }),
  columns: t.Array(t.Unknown(), { maxItems: 200 }),
});
export const columnsSaved = t.Object({ columnPreferences, dropped: droppedColumns, ...values });

import { t } from 'elysia';
import type { RouteDescriptions } from '../description.ts';
import { column, columnPreferences, droppedColumns, valueUse } from '../schemas.ts';

const oneOf = (values: readonly (string | null)[]) => t.Unsafe({ enum: values });

/** What a user has set. */
export const SETTINGS: RouteDescriptions = {
  'GET /api/settings/': {
    tag: 'Settings',
    summary: 'Read all settings',
    answer: t.Object({
      username: t.String(),
      subscriptionType: oneOf(['free', 'basic', 'premium']),
      requestedSubscriptionType: oneOf(['basic', 'premium', null]),
      upgradeDeclinedReason: t.Nullable(
        t.String({ description: 'Why the last plan asked for was declined.' }),
      ),
      accessLevel: t.Integer({ minimum: 1, maximum: 4 }),
      quoteSite: t.String({ description: 'Where quote links lead.' }),
      columnPreferences,
      droppedColumns: t.Optional(droppedColumns),
      ...valueUse,
    }),
    example: {},
  },
  'POST /api/settings/table-columns': {
    tag: 'Settings',
    summary: 'Save the columns of a table',
    description: 'Columns that are mandatory stay, and the order is kept.',
    body: t.Object({
      tableKey: oneOf(['preMarket', 'intraDaySmall', 'intraDayMidLarge', 'intraDayLargeCap', 'custom']),
      columns: t.Array(column),
    }),
    answer: t.Object({ columnPreferences, dropped: droppedColumns, ...valueUse }),
    example: {
      body: {
        tableKey: 'preMarket',
        columns: [{ id: 'code', enabled: true, mandatory: true, type: 'base', label: 'Code' }],
      },
    },
  },
};

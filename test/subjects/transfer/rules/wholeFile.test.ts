import { describe, expect, test } from 'bun:test';
import { getTableColumns } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { alerts, watchlistItems, watchlists } from '../../../../src/platform/db/alertSchema.ts';
import { quietHours } from '../../../../src/platform/db/alertReviewSchema.ts';
import { scanAlerts } from '../../../../src/platform/db/scanAlertSchema.ts';
import { indicatorScans, users } from '../../../../src/platform/db/schema.ts';

const ROW = ['id', 'userId', 'createdAt'];
/** What alerts remember, and what is about one moment on one server. */
const RUN = ['updatedAt', 'version', 'lastTriggeredAt', 'snoozedUntil'];
const ALERT = ['name', 'active', 'telegram', 'discord', 'devices', 'urgent', 'group', 'sound', 'guard'];
const ALERT_RUN = ['stoppedReason', 'armedAt', 'undoLogic', 'held'];

/** Each column is in a transfer file, or it is said here that it is not. */
const COLUMNS: readonly [table: string, of: SQLiteTable, inFile: string[], notInFile: string[]][] = [
  [
    'alerts',
    alerts,
    [...ALERT, 'symbol', 'persistent', 'logic', 'note', 'expiresAt', 'cooldownMinutes'],
    [...ROW, ...RUN, ...ALERT_RUN],
  ],
  [
    'scan alerts',
    scanAlerts,
    [...ALERT, 'scan', 'event', 'scope', 'cooldownMinutes', 'dayMaximum', 'minuteMaximum'],
    [...ROW, ...RUN],
  ],
  ['scans', indicatorScans, ['name', 'logic', 'lists'], [...ROW, 'updatedAt', 'nameKey']],
  ['watchlists', watchlists, ['name', 'position'], ROW],
  ['items', watchlistItems, ['symbol', 'note', 'target', 'listId'], ROW],
  ['quiet hours', quietHours, ['active', 'from', 'until', 'zone', 'digest'], ['userId']],
];

describe('nothing that a person chose is forgotten in a transfer file', () => {
  test.each(COLUMNS)('of %s', (_, table, inFile, notInFile) => {
    expect(Object.keys(getTableColumns(table)).toSorted()).toEqual([...inFile, ...notInFile].toSorted());
  });

  test('of the account', () => {
    const chosen = ['quoteLink', 'columnPreferences', 'adminMessagesOnDevices'];
    const account = ['username', 'usernameKey', 'usernameSkeleton', 'email', 'emailKey', 'passwordHash'];
    const plan = ['isAdmin', 'subscriptionType', 'requestedSubscriptionType', 'upgradeRequestedAt'];
    const rest = ['upgradeDeclinedReason', 'promptTokens', 'completionTokens', 'deletedAt'];
    const known = ['id', 'createdAt', ...chosen, ...account, ...plan, ...rest];
    expect(Object.keys(getTableColumns(users)).toSorted()).toEqual(known.toSorted());
  });
});

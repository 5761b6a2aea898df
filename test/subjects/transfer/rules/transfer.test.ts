import { describe, expect, test } from 'bun:test';
import { getTableColumns } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { alerts, quietHours, scanAlerts, watchlistItems, watchlists } from '#src/tables/alertSchema.ts';
import { MAX_ALERTS } from '#subjects/alerts/rules/alertRules.ts';
import { PLAN_LIMITS } from '#platform/http/rules/accessLevel.ts';
import { KEPT_FOR_EACH } from '#subjects/alerts/server/scanAlerts/service.ts';
import { MAX_WATCHED, MAX_WATCHLISTS } from '#subjects/alerts/rules/watchlist.ts';
import { MAX_SELECTED } from '#subjects/indicators/server/valueUse.ts';
import { MAX_SCANS } from '#subjects/indicators/server/scans.ts';
import { defaultEntries, MAX_ADDED_COLUMNS } from '#market/scanners/rules/columnList.ts';
import { SCANNER_KEYS } from '#market/scanners/rules/scanners.ts';
import { MAX_LEVEL_STOCKS, MAX_LEVELS } from '#subjects/stock/rules/levels.ts';
import { MAX_FOLLOWED, MAX_MUTED } from '#subjects/calls/rules/followMessage.ts';
import { MAX_IN_FILE } from '#subjects/transfer/answers/file.ts';
import { indicatorScans, users } from '#platform/db/schema.ts';
import {
  callsText,
  type KindPreview,
  kindText,
  namesText,
  importedCount,
} from '#subjects/transfer/rules/previewText.ts';

const ROW = ['id', 'userId', 'createdAt'];
/** The state of alerts, and values of one time on one server. */
const RUN = ['updatedAt', 'version', 'lastTriggeredAt', 'snoozedUntil'];
const ALERT = ['name', 'active', 'telegram', 'discord', 'devices', 'urgent', 'group', 'sound', 'guard'];
const ALERT_RUN = ['stoppedReason', 'armedAt', 'undoLogic'];

/** Each column is listed as in a transfer file or not. */
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

describe('a transfer file contains every choice of a user', () => {
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

test('a file may contain at most as much as one user can have', () => {
  const most = {
    indicators: MAX_SELECTED,
    scans: MAX_SCANS,
    watchlists: MAX_WATCHLISTS,
    items: MAX_WATCHED,
    alerts: MAX_ALERTS,
    scanAlerts: PLAN_LIMITS[4].scanAlerts * KEPT_FOR_EACH,
    odds: PLAN_LIMITS[4].savedOdds,
    chartLevels: MAX_LEVEL_STOCKS,
    levels: MAX_LEVELS,
    submitters: MAX_FOLLOWED,
    mutedStocks: MAX_MUTED,
  };
  expect(MAX_IN_FILE).toMatchObject(most);
  const tables = SCANNER_KEYS.map((key) => defaultEntries(key).length + MAX_ADDED_COLUMNS);
  expect(Math.max(...tables)).toBeLessThanOrEqual(MAX_IN_FILE.columns);
});

const previewed = (change: Partial<KindPreview>): KindPreview => ({
  kind: 'alerts',
  found: 12,
  isChosen: true,
  added: 0,
  changed: 0,
  same: 0,
  leftOut: [],
  notes: [],
  ...change,
});
const noted = (count: number) => ({ text: 'Why.', count, names: ['BHP', 'CBA'] });

describe('a preview in words', () => {
  test('counts the results of a kind', () => {
    const mixed = previewed({ added: 9, same: 2, leftOut: [noted(1)] });
    expect(kindText(mixed)).toBe('12 alerts: 9 new, 2 unchanged, 1 left out');
    expect(kindText(previewed({ same: 12 }))).toBe('12 alerts: all unchanged');
    expect(kindText(previewed({ found: 1, added: 1 }))).toBe('1 alert: new');
    expect(kindText(previewed({ isChosen: false }))).toBe('12 alerts, not imported');
    expect(importedCount([mixed, previewed({ changed: 2 })])).toBe(11);
  });

  test('names the first of many, and explains why calls are left out', () => {
    expect(namesText(noted(2))).toBe('BHP, CBA.');
    expect(namesText(noted(5))).toBe('BHP, CBA and 3 more.');
    expect(callsText(0)).toBeNull();
    expect(callsText(2)).toStartWith('2 calls in the file are not imported');
  });
});

import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { auditEntries, broadcasts } from '#platform/db/administrationSchema.ts';
import { callLedgerPeople } from '#platform/db/callLedgerSchema.ts';
import { alerts, linkedChats, outbox, watchlistItems, watchlists } from '#platform/db/alertSchema.ts';
import { keptFindings, quietHours, reviewChoices } from '#platform/db/alertReviewSchema.ts';
import { scanAlerts, scanAlertTriggers } from '#platform/db/scanAlertSchema.ts';
import { calendarReminders } from '#platform/db/calendarSchema.ts';
import { devices } from '#platform/db/deviceSchema.ts';
import { modelUse } from '#platform/db/modelSchema.ts';
import { callCorrections } from '#platform/db/callPathSchema.ts';
import {
  calls,
  indicatorPrefs,
  indicatorScans,
  loginAddresses,
  loginSessions,
  secondFactors,
} from '#platform/db/schema.ts';

/** A table whose rows belong to a user. */
type PersonalTable = {
  /** In the export. */
  name: string;
  table: SQLiteTable & { userId: SQLiteColumn };
  /** What the export leaves out: secrets, and what means nothing outside this installation. */
  without: readonly string[];
  /** Whether the rows go with the account; those that stay are a record that others rely on. */
  isDeleted: boolean;
};

const own = (
  name: string,
  table: PersonalTable['table'],
  without: readonly string[] = [],
): PersonalTable => ({
  name,
  table,
  without: ['userId', ...without],
  isDeleted: true,
});

const kept = (
  name: string,
  table: PersonalTable['table'],
  without: readonly string[] = [],
): PersonalTable => ({
  ...own(name, table, without),
  isDeleted: false,
});

/** Every table that names a user; a test compares them with the schema. Firings and what alerts remember hang on `alerts`. */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  own('loginSessions', loginSessions, ['id']),
  own('loginAddresses', loginAddresses, ['addressHash']),
  own('secondFactor', secondFactors, ['sealedSecret', 'recoveryHashes', 'lastStep']),
  own('linkedChats', linkedChats),
  own('devices', devices, ['endpoint', 'p256dh', 'auth', 'sessionId']),
  own('messages', outbox, ['nonce']),
  own('watchlists', watchlists),
  own('watchlist', watchlistItems),
  own('alerts', alerts),
  own('scanAlerts', scanAlerts),
  own('scanAlertFirings', scanAlertTriggers, ['scanHash']),
  own('reviewOfAlerts', reviewChoices),
  own('keptFindings', keptFindings),
  own('quietHours', quietHours),
  own('selectedIndicators', indicatorPrefs),
  own('scans', indicatorScans, ['nameKey']),
  own('calendarReminders', calendarReminders),
  own('questionsADay', modelUse),
  own('ledgerReference', callLedgerPeople),
  kept('calls', calls, ['watch']),
  kept('corrections', callCorrections),
  kept('administration', auditEntries),
  kept('broadcasts', broadcasts),
];

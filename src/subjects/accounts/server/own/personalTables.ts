import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { auditEntries, broadcasts } from '#src/tables/administrationSchema.ts';
import { callCorrections, callFollows, callLedgerPeople, callMutes } from '#src/tables/callSchema.ts';
import {
  alerts,
  keptCheckResults,
  linkedChats,
  outbox,
  quietHours,
  reviewChoices,
  scanAlerts,
  scanAlertTriggers,
  watchlistItems,
  watchlists,
} from '#src/tables/alertSchema.ts';
import { calendarReminders } from '#src/tables/calendarSchema.ts';
import { oddsSaved, oddsVariants } from '#src/tables/oddsSchema.ts';
import { chartLevels, devices, modelUse, morningBriefs } from '#src/tables/userSchema.ts';
import {
  calls,
  indicatorPrefs,
  indicatorScans,
  loginAddresses,
  loginSessions,
  secondFactors,
} from '#platform/db/schema.ts';

type PersonalTable = {
  name: string;
  table: SQLiteTable & { userId: SQLiteColumn };
  /** Columns that the export leaves out: secrets, and ids that mean nothing elsewhere. */
  without: readonly string[];
  /** Whether the rows are deleted with the account. The others are records that other users rely on. */
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

/** Every table that refers to a user, as a test verifies. Triggers and alert states belong to `alerts`, sessions to `savedOdds`. */
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
  own('keptFindings', keptCheckResults),
  own('quietHours', quietHours),
  own('morningBrief', morningBriefs),
  own('selectedIndicators', indicatorPrefs),
  own('scans', indicatorScans, ['nameKey']),
  own('calendarReminders', calendarReminders),
  own('chartLevels', chartLevels),
  own('savedOdds', oddsSaved),
  own('variantsOfOdds', oddsVariants, ['hash']),
  own('questionsADay', modelUse),
  own('followedSubmitters', callFollows, ['submitterId']),
  own('mutedCalls', callMutes),
  own('ledgerReference', callLedgerPeople),
  kept('calls', calls, ['watch']),
  kept('corrections', callCorrections),
  kept('administration', auditEntries),
  kept('broadcasts', broadcasts),
];

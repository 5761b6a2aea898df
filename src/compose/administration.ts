import { dataPaths } from '../dataPaths.ts';
import { createBackups } from '../admin/backups/server/index.ts';
import { freeBytes } from '../lib/freeBytes.ts';
import { createLogs } from '../admin/logs/server/index.ts';
import { createNightly } from '../admin/nightlyJobs/server/index.ts';
import { createUpgrades } from '../subjects/accounts/server/upgrades/index.ts';
import { createRecordings } from '../admin/recordings/server/index.ts';
import { createUsers } from '../admin/users/server/index.ts';
import { createBackupWriter } from '../platform/install/shared/backupProcess.ts';
import type { Core, Part } from '../part.ts';
import { createUpdates } from '../admin/updates/server/index.ts';
import { createServerControls } from '../admin/server/server/index.ts';
import type { AlertParts } from './alerts.ts';
import type { MarketParts } from './market.ts';
import {
  type AccountsPart,
  redactorOf,
  type Routed,
  type Runtime,
  type WithAudit,
  type WithCalendar,
} from './runtime.ts';

type Needs = Routed & AccountsPart & WithAudit & Pick<AlertParts, 'linkedChats' | 'outbox'>;

/** What administrators work with: plans, users, log files, restart and updates. */
export function createAdministration(
  core: Core,
  runtime: Runtime,
  { auth, accounts, audit: { service: audit }, linkedChats, outbox }: Needs,
) {
  const { about, control } = runtime;
  const upgrades = createUpgrades(core, {
    ...{ auth, audit, accounts: accounts.service },
    outbox: outbox.service,
    chatsOf: linkedChats.service.confirmed,
  });
  const users = createUsers(core, {
    ...{ auth, audit, accounts: accounts.service },
    linkedChats: linkedChats.service,
  });
  const logs = createLogs(core, { auth, audit, logs: runtime.logs });
  const updates = createUpdates(core, {
    ...{ ...runtime, auth, audit },
    redactor: redactorOf(core, runtime),
  });
  const serverControls = createServerControls(core, {
    ...{ auth, about, control, audit },
    isUpdating: updates.service.isRunning,
  });
  return { upgrades, users, logs, updates, serverControls } satisfies Record<string, Part>;
}

type RecordingNeeds = Routed &
  WithAudit &
  WithCalendar &
  Pick<MarketParts, 'market' | 'announcements'> & { serverControls: ReturnType<typeof createServerControls> };

/** Recordings of the running market. */
export function createRecordingParts(
  core: Core,
  { keepOpen, randomToken }: Runtime,
  { auth, audit, calendar, market, announcements, serverControls }: RecordingNeeds,
) {
  const paths = dataPaths(core.config);
  const recordings = createRecordings(core, {
    ...{ auth, keepOpen, randomToken, audit: audit.service, market: market.service },
    releases: announcements.service.recent,
    events: calendar.service.events,
    folder: paths.recordings,
    choiceFile: paths.played,
    noRestart: () => serverControls.service.info().noRestart,
    restart: serverControls.service.restart,
    free: () => freeBytes(paths.folder),
  });
  return { recordings } satisfies Record<string, Part>;
}

/** Backups, and the nightly job, which asks all these parts to remove what they kept for long enough. */
export function createNightWork(
  core: Core,
  { writeBackup, ...runtime }: Runtime,
  { auth, accounts, audit, linkedChats, outbox }: Needs,
  parts: readonly Part[],
) {
  const paths = dataPaths(core.config);
  const { clientAddress, keepOpen, randomToken } = runtime;
  const backups = createBackups(core, {
    ...{ auth, paths, randomToken, clientAddress, keepOpen },
    writeBackup: writeBackup ?? createBackupWriter(paths.database),
    audit: audit.service,
    checkPassword: accounts.service.checkPassword,
    outbox: outbox.service,
    chatsOf: linkedChats.service.confirmed,
  });
  const nightly = createNightly(core, { parts, backups: backups.service, logs: paths.logs });
  return { backups, nightly } satisfies Record<string, Part>;
}

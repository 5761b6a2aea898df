import { createClosures } from '../admin/closures/server/index.ts';
import { createAppInfo } from '../admin/appInfo/server/index.ts';
import { createBackups } from '../admin/backups/server/index.ts';
import { createFirstRestore } from '../admin/firstRestore/server/index.ts';
import { createHealth } from '../admin/health/server/index.ts';
import { createLogs } from '../admin/logs/server/index.ts';
import { createNightly } from '../admin/nightlyJobs/server/index.ts';
import { createReachability } from '../admin/reachability/server/index.ts';
import { createRecordings } from '../admin/recordings/server/index.ts';
import { createServerSettings } from '../admin/settings/server/index.ts';
import { createServerControls } from '../admin/server/server/index.ts';
import { createSupport } from '../admin/support/server/index.ts';
import { createSupportWriter } from '../admin/support/server/supportProcess.ts';
import { createTestMode } from '../admin/testMode/server/index.ts';
import { createUpdates } from '../admin/updates/server/index.ts';
import { createUsers } from '../admin/users/server/index.ts';
import { settingsFile } from '../config/backup.ts';
import { dataPaths } from '../config/dataPaths.ts';
import { freeBytes } from '../lib/files.ts';
import type { App, Part } from '#platform/app.ts';
import { createBackupWriter } from '../platform/install/shared/backupProcess.ts';
import { createJobRunner, jobsWith } from '../platform/install/shared/jobProcess.ts';
import { createUpgrades } from '../subjects/accounts/server/upgrades/index.ts';
import { createAlertsSeeder } from '../subjects/alerts/server/seed.ts';
import { createCallsSeeder } from '../subjects/calls/server/seed.ts';
import type { AlertParts } from './alerts.ts';
import type { CalendarPart, CallsPart, MarketParts } from './market.ts';
import type { Messaging } from './messages.ts';
import type { People } from './people.ts';
import { wrongCodesMessage } from '../subjects/accounts/rules/secondFactor.ts';
import { redactorOf, type Runtime } from './runtime.ts';

/** What administrators work with: plans, users, log files, restart and updates. */
export function createAdministration(app: App, runtime: Runtime, made: People & Messaging) {
  const { linkedChats, outbox } = made;
  const { about, control } = runtime;
  const audit = made.audit.service;
  const accounts = made.accounts.service;
  const chatsOf = made.platforms.placesOf;
  accounts.listen({
    wrongCodes(userId) {
      const message = wrongCodesMessage;
      outbox.service.add(chatsOf(userId).map((chat) => ({ ...chat, userId, triggerId: null, message })));
      outbox.service.wake();
    },
  });
  const redactor = redactorOf(app, runtime);
  const { database } = dataPaths(app.config);
  const runList = jobsWith(createJobRunner('list-target', runtime.program.env), { database });
  const updates = createUpdates(app, { ...runtime, audit, redactor });
  return {
    upgrades: createUpgrades(app, { audit, accounts, chatsOf, outbox: outbox.service }),
    users: createUsers(app, {
      audit,
      accounts,
      chatsOf,
      linkedChats: linkedChats.service,
      outbox: outbox.service,
    }),
    logs: createLogs(app, { audit, logs: runtime.logs }),
    updates,
    serverControls: createServerControls(app, {
      about,
      control,
      audit,
      isUpdating: updates.service.isRunning,
    }),
    appInfo: createAppInfo(app, { about }),
    closures: createClosures(app, { audit }),
    support: createSupport(app, {
      audit,
      write: runtime.writeSupport ?? createSupportWriter(runtime.program.env),
    }),
    serverSettings: createServerSettings(app, { redactor }),
    reachability: createReachability(app, { audit, redactor, runList }),
    firstRestore: createFirstRestore(app, {
      control,
      database,
      isSetupToken: accounts.isSetupToken,
      hasAdministrator: accounts.hasAdministrator,
      accountsHere: accounts.names,
      free: () => freeBytes(dataPaths(app.config).folder),
      runPrepare: createJobRunner('prepare-restore', runtime.program.env),
      runList,
    }),
    health: createHealth(app, about),
  } satisfies Record<string, Part>;
}

/** Recordings of the running market. */
export function createRecordingParts(
  app: App,
  made: People & MarketParts & CalendarPart & ReturnType<typeof createAdministration>,
) {
  const { audit, market, announcements, calendar, serverControls } = made;
  const paths = dataPaths(app.config);
  const recordings = createRecordings(app, {
    audit: audit.service,
    market: market.service,
    releases: () => announcements.service.recent(),
    events: calendar.service.events,
    folder: paths.recordings,
    choiceFile: paths.played,
    noRestart: () => serverControls.service.info().noRestart,
    restart: serverControls.service.restart,
    free: () => freeBytes(paths.folder),
  });
  return { recordings };
}

/** Test mode with the trade ideas and alerts of its demo users. */
export function createTestModePart(app: App, made: People & MarketParts & AlertParts & CallsPart) {
  const { calls, values, alerts, watchlist } = made;
  const accounts = made.accounts.service;
  const market = made.market.service;
  const past = values.service;
  return createTestMode(app, {
    accounts,
    seeders: [
      createCallsSeeder(app, { accounts, calls: calls.service, market, past }),
      createAlertsSeeder({ market, alerts: alerts.service, watchlist: watchlist.service }),
    ],
    listed: async () => app.source.loaded?.(),
  });
}

/** Backups, and the nightly job, which asks all these parts to remove what they kept for long enough. */
export function createNightWork(
  app: App,
  { writeBackup, program }: Runtime,
  { accounts, audit }: People,
  parts: readonly Part[],
) {
  const paths = dataPaths(app.config);
  const backups = createBackups(app, {
    paths,
    writeBackup: writeBackup ?? createBackupWriter(paths.database),
    runSend: createJobRunner('send-backup', program.env),
    settingsFile: () => settingsFile(program.env),
    audit: audit.service,
    checkPassword: accounts.service.checkPassword,
  });
  const nightly = createNightly(app, { parts, backups: backups.service, logs: paths.logs });
  return { backups, nightly } satisfies Record<string, Part>;
}

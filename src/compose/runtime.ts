import type { About } from '../platform/install/about.ts';
import type { Passwords } from '../subjects/accounts/server/passwords.ts';
import type { IndicatorsNeeds } from '../subjects/indicators/server/index.ts';
import type { RelayState } from '../admin/relays/rules/relayState.ts';
import type { SupportWriter } from '../admin/support/server/supportProcess.ts';
import type { LogsNeeds } from '../admin/logs/server/index.ts';
import type { Connections } from '../platform/http/connections.ts';
import type { BackupWriter } from '../platform/install/shared/backupProcess.ts';
import type { ValuesNeeds } from '../market/indicators/values.ts';
import type { CallFeed } from '../lib/httpClient/client.ts';
import type { LineCount } from '../lib/log.ts';
import { createRedactor, type Redactor } from '../lib/redact.ts';
import { keptVapidKeys } from '../platform/push/vapid.ts';
import type { PlatformConnectors } from '../platform/chatClients/platforms.ts';
import type { App } from '#platform/app.ts';
import type { TapeFiles } from '../subjects/scanners/server/tape/files.ts';
import type { CalendarSource } from '../sources/calendar/source.ts';
import type { Primary } from '../relays/primary/primary.ts';
import type { Installed } from '../platform/install/shared/program.ts';

/** What only the running process knows or does. */
export type Runtime = Connections &
  Installed & {
    about: About;
    /** Signs the tokens of sessions. */
    jwtSecret: string;
    /** URL-safe random text of 128 bits or more. */
    randomToken(): string;
    passwords: Passwords;
    /** What connects to the chat platforms; the code is loaded before anything is made. */
    platforms: PlatformConnectors;
    /** Tells of every call that `app.http` makes. */
    outgoing: CallFeed;
    /** What serves the relays; left out or null where no message engine is set: its code is not loaded then. */
    primary?: Primary | null;
    /** Instead of what the primary knows of its relays; for tests. */
    relayState?: () => RelayState;
    /** Instead of one that hides the configuration's secrets and those that look like it; for tests. */
    redactor?: Redactor;
    logs: LogsNeeds['logs'];
    /** Warnings and errors of the log since the start; left out where nobody counts them. */
    logged?: () => readonly LineCount[];
    /** Instead of files in the data folder; for tests. */
    tapeFiles?: TapeFiles;
    /** Instead of a process of its own that writes backups; for tests. */
    writeBackup?: BackupWriter;
    /** Instead of a process of its own that makes the support file; for tests. */
    writeSupport?: SupportWriter;
    /** How often the alert stream pings; for tests. */
    alertPingMs?: number;
    /** Instead of the calendar that the configuration names; for tests. */
    calendar?: CalendarSource;
  } & Pick<IndicatorsNeeds, 'metainfo'> &
  Pick<ValuesNeeds, 'later' | 'schedule'>;

/** What is known of the relays; null where none is served. */
export const relayStateOf = ({ relayState, primary }: Pick<Runtime, 'relayState' | 'primary'>) =>
  relayState ?? primary?.state ?? null;

/** The one redactor: it knows every secret of the configuration, and those that were made for tokens and push services. */
export const redactorOf = (
  { config, db }: App,
  { jwtSecret, redactor }: Pick<Runtime, 'jwtSecret' | 'redactor'>,
): Redactor => redactor ?? createRedactor([...config.secrets, jwtSecret, keptVapidKeys(db).privateKey]);

import type { Config } from '../config/config.ts';
import type { connectDiscord } from '../platform/discord/index.ts';
import type { connectTelegram } from '../platform/telegram/index.ts';
import type { RelayState } from '#admin/relays/rules/relayState.ts';
import type { SupportWriter } from '#admin/support/server/index.ts';
import type { LineCount } from '../lib/log.ts';
import type { OwnLogFile } from '#lib/logging.ts';
import type { Redactor } from '#lib/redact.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { App } from '#platform/app.ts';
import type { BackupWriter } from '#platform/install/shared/jobProcess.ts';
import type { CalendarSource } from '../market/sources/calendar.ts';
import type { Metainfo } from '#subjects/indicators/server/catalog.ts';
import type { DayFiles } from '#lib/dayFiles.ts';
import type { Primary } from '../relays/primary/primary.ts';

/** Connects to the chat platforms. Null without a token, because the code is not loaded then. */
export type PlatformConnectors = {
  telegram: typeof connectTelegram | null;
  discord: typeof connectDiscord | null;
};

/** Loads the code of platforms with a token. Their libraries would be a quarter of the loaded code. */
export async function loadPlatforms({ telegram, discord }: Config): Promise<PlatformConnectors> {
  return {
    telegram:
      telegram.token === null ? null : (await import('../platform/telegram/index.ts')).connectTelegram,
    discord: discord.token === null ? null : (await import('../platform/discord/index.ts')).connectDiscord,
  };
}

/** Values and functions of the running process. */
export type Runtime = Pick<
  App,
  | 'about'
  | 'alertPingMs'
  | 'clientAddress'
  | 'control'
  | 'cutOff'
  | 'jwtSecret'
  | 'keepOpen'
  | 'outgoing'
  | 'passwords'
  | 'program'
  | 'randomToken'
  | 'room'
> & {
  /** Connects to the chat platforms. Their code is loaded before the parts are created. */
  platforms: PlatformConnectors;
  /** Serves the relays; null if no Redis/Valkey server is configured. */
  primary?: Primary | null;
  /** The log file that this process writes; null if it writes none. */
  logFile: OwnLogFile | null;
  /** Warnings and errors of the log since the start. */
  logged?: () => readonly LineCount[];
  // Replaced in tests:
  relayState?: () => RelayState;
  redactor?: Redactor;
  sessionFiles?: DayFiles;
  writeBackup?: BackupWriter;
  writeSupport?: SupportWriter;
  /** Replaces the configured calendar. */
  calendar?: CalendarSource;
  metainfo?: Metainfo;
  later?: (run: () => void) => void;
  schedule?: Scheduler;
};

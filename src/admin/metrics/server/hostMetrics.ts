import type { LineCount } from '#lib/log.ts';
import type { CheckResultState } from '#lib/checkResult.ts';
import { each, type Metric, one, seconds } from './metric.ts';

/** State of an external source. Times are epoch ms. */
export type SourceReading = { healthy: boolean; lastSuccess: number | null };

export type HostReadings = {
  now(): number;
  /** Sources by kind: prices, announcements, calendar. Disabled ones are missing. */
  sources(): Readonly<Record<string, SourceReading>>;
  /** Services by name; null if one was not checked since the start. */
  services(): Readonly<Partial<Record<string, { state: CheckResultState } | null>>>;
  /**
   * The number of backups in the data folder, the newest one here or at the target, whether the last attempt failed,
   * and the interval in nights.
   */
  backups(): {
    count: number;
    newest: { madeAt: number; bytes: number } | null;
    hasFailed: boolean;
    everyDays: number;
  };
  /** Bytes; null if unknown. */
  disk(): { free: number; size: number } | null;
  logged(): readonly LineCount[];
  /** Epoch ms; null if unknown. */
  certificateEnd(): number | null;
  isUpdateWaiting(): boolean | null;
  /** Every check by its key, and whether it is a server alert. */
  serverAlerts(): Readonly<Record<string, boolean>>;
};

type Group = (readings: HostReadings) => Metric[];

const gauge = (name: string, help: string, value: number | null): Metric => ({
  name,
  type: 'gauge',
  help,
  samples: value === null ? [] : [{ value }],
});

function ofSources({ now, sources }: HostReadings): Metric[] {
  const all = Object.entries(sources());
  return [
    {
      name: 'bellbird_source_healthy',
      type: 'gauge',
      help: '1 if the source is healthy, otherwise 0.',
      samples: all.map(([source, { healthy }]) => ({ labels: { source }, value: Number(healthy) })),
    },
    {
      name: 'bellbird_source_last_success_age_seconds',
      type: 'gauge',
      help: 'Time since the last good answer of the source; absent before the first.',
      samples: all.flatMap(([source, { lastSuccess }]) =>
        lastSuccess === null
          ? []
          : [{ labels: { source }, value: seconds(Math.max(0, now() - lastSuccess)) }],
      ),
    },
  ];
}

const ofServices: Group = ({ services }) => [
  {
    name: 'bellbird_service_healthy',
    type: 'gauge',
    help: '1 if a bot, web push, the model or the relays work, otherwise 0; absent before the first check.',
    samples: Object.entries(services()).flatMap(([service, found]) =>
      found ? [{ labels: { service }, value: Number(found.state === 'ok') }] : [],
    ),
  },
];

function ofBackups({ now, backups }: HostReadings): Metric[] {
  const { count, newest, hasFailed, everyDays } = backups();
  return [
    one('bellbird_backups', 'gauge', 'Backups in the data folder.', count),
    one(
      'bellbird_backup_interval_seconds',
      'gauge',
      'Configured time between two nightly backups.',
      everyDays * 86_400,
    ),
    gauge(
      'bellbird_backup_age_seconds',
      'Age of the newest backup, here or at the backup target; absent if there is none.',
      newest ? seconds(Math.max(0, now() - newest.madeAt)) : null,
    ),
    gauge(
      'bellbird_backup_size_bytes',
      'Size of the newest backup; absent if there is none.',
      newest?.bytes ?? null,
    ),
    one(
      'bellbird_backup_last_failed',
      'gauge',
      '1 if the last backup failed, otherwise 0.',
      Number(hasFailed),
    ),
  ];
}

function ofDisk({ disk }: HostReadings): Metric[] {
  const room = disk();
  return [
    gauge('bellbird_disk_free_bytes', 'Free space on the disk of the data folder.', room?.free ?? null),
    gauge('bellbird_disk_size_bytes', 'Size of the disk of the data folder.', room?.size ?? null),
  ];
}

const ofLog: Group = ({ logged }) => [
  {
    name: 'bellbird_log_lines_total',
    type: 'counter',
    help: 'Warnings and errors in the log since the start, by part.',
    samples: logged().map(({ part, level, count }) => ({ labels: { part, level }, value: count })),
  },
];

function ofChecks({ certificateEnd, isUpdateWaiting, serverAlerts }: HostReadings): Metric[] {
  const endsAt = certificateEnd();
  const isWaiting = isUpdateWaiting();
  const listed = Object.entries(serverAlerts()).map(([key, isListed]) => [key, Number(isListed)] as const);
  return [
    gauge(
      'bellbird_certificate_expiry_timestamp_seconds',
      'When the certificate of the public address expires, Unix time; absent if unknown.',
      endsAt === null ? null : seconds(endsAt),
    ),
    gauge(
      'bellbird_update_waiting',
      '1 if an update is available, otherwise 0; absent if unknown.',
      isWaiting === null ? null : Number(isWaiting),
    ),
    {
      name: 'bellbird_notice_standing',
      type: 'gauge',
      help: '1 while this server alert is shown to administrators, otherwise 0.',
      samples: each('notice', Object.fromEntries(listed)),
    },
  ];
}

/** Groups are read separately, so that a failure affects only one. */
export const HOST_GROUPS: readonly Group[] = [ofSources, ofServices, ofBackups, ofDisk, ofLog, ofChecks];

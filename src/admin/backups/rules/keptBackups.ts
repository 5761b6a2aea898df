import { HOUR_MS } from '#lib/units.ts';
import { fileStamp } from '#lib/wording.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';

/**
 * - `nightly` and `manual`: made by the nightly job or on request, and verified in full before the file gets its name.
 * - `migration`: a copy of the database before a new version changed its schema.
 */
export const BACKUP_KINDS = ['nightly', 'manual', 'migration'] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];

export type NamedBackup = {
  name: string;
  kind: BackupKind;
  /** Epoch ms by the server's clock at that time. */
  madeAt: number;
};

const NAME =
  /^(nightly|manual|before-[\w-]{1,100}?)-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.db$/;

export const backupName = (kind: 'nightly' | 'manual', now: number): string => `${kind}-${fileStamp(now)}.db`;

/** Reads the name of a backup. @returns null for other files */
export function readBackupName(name: string): NamedBackup | null {
  const [, prefix, date, hours, minutes, seconds, ms] = NAME.exec(name) ?? [];
  const madeAt = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${ms}Z`);
  if (prefix === undefined || Number.isNaN(madeAt)) return null;
  const kind = prefix === 'nightly' || prefix === 'manual' ? prefix : 'migration';
  return { name, kind, madeAt };
}

export const KEPT_NIGHTLY = 7;
export const KEPT_MANUAL = 5;
/** Number of months whose first nightly backup is kept too. */
const KEPT_MONTHS = 12;

const newestFirst = (a: NamedBackup, b: NamedBackup): number =>
  b.madeAt - a.madeAt || (a.name < b.name ? 1 : -1);

/** The first backup of each month in Sydney, for the newest twelve months with a backup. */
function firstOfMonths(newest: readonly NamedBackup[]): NamedBackup[] {
  const byMonth = new Map<string, NamedBackup>();
  for (const backup of newest) byMonth.set(sydneyDate(backup.madeAt).slice(0, 7), backup);
  return [...byMonth.values()].slice(0, KEPT_MONTHS);
}

/**
 * The backups to delete: nightly ones except the newest seven and the first of each of the newest twelve months; manual
 * ones except the newest five. Copies from before a migration are kept. A month without backups does not count.
 * @param now epoch ms. A backup with a later date comes from a wrong clock: it is neither deleted nor counted
 */
export function surplusBackups(backups: readonly NamedBackup[], now: number): NamedBackup[] {
  const of = (kind: NamedBackup['kind']): NamedBackup[] =>
    backups.filter((backup) => backup.kind === kind && backup.madeAt <= now).sort(newestFirst);
  const nightly = of('nightly');
  const manual = of('manual');
  const kept = new Set([
    ...nightly.slice(0, KEPT_NIGHTLY),
    ...firstOfMonths(nightly),
    ...manual.slice(0, KEPT_MANUAL),
  ]);
  return [...nightly, ...manual].filter((backup) => !kept.has(backup));
}

/** Allowance for the start, some minutes after 03:10, and for the duration of a backup. */
const SPARE_MS = 2 * HOUR_MS;

/** Age in ms from which a backup counts as missed. @param everyDays nights between two backups */
export const maxBackupAge = (everyDays: number): number => everyDays * 24 * HOUR_MS + SPARE_MS;

const MB = 1024 * 1024;

/** Administrators are warned below this many free bytes. */
export const LOW_DISK_BYTES = 500 * MB;
/** The warning ends at this many free bytes, which are more, so that it does not flap. */
export const ENOUGH_DISK_BYTES = 600 * MB;

export const isDiskLow = (freeBytes: number): boolean => freeBytes < LOW_DISK_BYTES;

type TargetItem = {
  name: string;
  /** Identifies the server that made the backup; see `TargetMemory`. */
  installation: string;
  isEncrypted: boolean;
  bytes: number;
} & (
  | { kind: 'backup'; backup: NamedBackup }
  | { kind: 'settings'; madeAt: number }
  | { kind: 'recording'; recording: string }
);

const TARGET_NAME = /^bellbird-([a-z\d]{8})-(.{1,200}?)(\.age)?$/;
const SETTINGS = /^settings-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.env$/;
const RECORDING = /^recording-(.{1,150})\.bellbird$/;

export const targetPrefix = (installation: string): string => `bellbird-${installation}-`;

export const targetName = (installation: string, name: string, isEncrypted: boolean): string =>
  `${targetPrefix(installation)}${name}${isEncrypted ? '.age' : ''}`;

export const settingsName = (now: number): string => `settings-${fileStamp(now)}.env`;
export const recordingName = (recording: string): string => `recording-${recording}.bellbird`;

function readInner(name: string) {
  const backup = readBackupName(name);
  if (backup !== null && backup.kind !== 'migration') return { kind: 'backup', backup } as const;
  const recording = RECORDING.exec(name)?.[1];
  if (recording !== undefined) return { kind: 'recording', recording } as const;
  const [, date, hours, minutes, seconds, ms] = SETTINGS.exec(name) ?? [];
  const madeAt = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${ms}Z`);
  return Number.isNaN(madeAt) ? null : ({ kind: 'settings', madeAt } as const);
}

/** Reads the files of a target: backups newest first, then the rest. Ignores files with other names. */
export function readTarget(files: readonly { name: string; bytes: number }[]): TargetItem[] {
  const items = files.flatMap(({ name, bytes }): TargetItem[] => {
    const [, installation, inner, ending] = TARGET_NAME.exec(name) ?? [];
    const read = inner === undefined ? null : readInner(inner);
    return installation === undefined || read === null
      ? []
      : [{ name, installation, isEncrypted: ending !== undefined, bytes, ...read }];
  });
  const at = (item: TargetItem): number =>
    item.kind === 'backup' ? item.backup.madeAt : item.kind === 'settings' ? item.madeAt : 0;
  return items.sort((a, b) => at(b) - at(a));
}

/**
 * The names that a server deletes at a target: its own backups and settings except the newest. Files of other servers,
 * recordings, and files dated after `now` are kept.
 */
export function surplusAtTarget(
  items: readonly TargetItem[],
  { installation, kept, now }: { installation: string; kept: number; now: number },
): string[] {
  const own = items.filter((item) => item.installation === installation);
  const backups = own.filter((item) => item.kind === 'backup' && item.backup.madeAt <= now);
  const settings = own.filter((item) => item.kind === 'settings' && item.madeAt <= now);
  return [...backups.slice(kept), ...settings.slice(kept)].map(({ name }) => name);
}

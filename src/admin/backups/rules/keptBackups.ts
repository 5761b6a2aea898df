import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { fileStamp } from '#lib/text.ts';

/**
 * - `nightly`: made by the nightly job; `manual`: because a person asked for it. Both were read again, whole, before they
 *   got their name.
 * - `migration`: the database as it was before a new version changed its schema.
 */
export const BACKUP_KINDS = ['nightly', 'manual', 'migration'] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];

export type NamedBackup = {
  name: string;
  kind: BackupKind;
  /** When it was made, by the clock of that time, epoch ms. */
  madeAt: number;
};

const NAME =
  /^(nightly|manual|before-[\w-]{1,100}?)-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.db$/;

/** The name of the file that a backup made now gets. @param now epoch ms */
export const backupName = (kind: 'nightly' | 'manual', now: number): string => `${kind}-${fileStamp(now)}.db`;

/** What a file's name says of the backup in it; null for any other file. */
export function readBackupName(name: string): NamedBackup | null {
  const [, prefix, date, hours, minutes, seconds, ms] = NAME.exec(name) ?? [];
  const madeAt = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${ms}Z`);
  if (prefix === undefined || Number.isNaN(madeAt)) return null;
  const kind = prefix === 'nightly' || prefix === 'manual' ? prefix : 'migration';
  return { name, kind, madeAt };
}

/** The newest of each kind that stay. */
export const KEPT_NIGHTLY = 7;
export const KEPT_MANUAL = 5;
/** Of this many months the first nightly one stays too. */
export const KEPT_MONTHS = 12;

const newestFirst = (a: NamedBackup, b: NamedBackup): number =>
  b.madeAt - a.madeAt || (a.name < b.name ? 1 : -1);

/** The first backup of each month of Sydney, of the newest twelve months that have one. */
function firstOfMonths(newest: readonly NamedBackup[]): NamedBackup[] {
  const byMonth = new Map<string, NamedBackup>();
  for (const backup of newest) byMonth.set(sydneyDate(backup.madeAt).slice(0, 7), backup);
  return [...byMonth.values()].slice(0, KEPT_MONTHS);
}

/**
 * Which backups are to be deleted: of the nightly ones all but the newest seven and the first of each of the newest twelve
 * months, of those that people made all but the newest five. Copies from before a migration are not looked at. Months are
 * counted by the backups, so a year in which the machine was off costs none.
 *
 * @param now epoch ms; what is dated after it was made while the clock was wrong, or it is wrong now: such a backup is
 *   neither deleted nor counted
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

import { fileStamp } from '../../../lib/fileStamp.ts';

/**
 * - `nightly`: made by the nightly job; `manual`: because a person asked for it. Both were read again, whole, before they
 *   got their name.
 * - `migration`: the database as it was before a new version changed its schema.
 */
export type BackupKind = 'nightly' | 'manual' | 'migration';

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

import { fileStamp } from '#lib/text.ts';
import { type NamedBackup, readBackupName } from './keptBackups.ts';

/** What a backup target holds of one server. */
export type TargetItem = {
  /** As it lies there. */
  name: string;
  /** Of the server that made it; see `TargetMemory`. */
  installation: string;
  isEncrypted: boolean;
  bytes: number;
} & (
  | { kind: 'backup'; backup: NamedBackup }
  | { kind: 'settings'; madeAt: number }
  | { kind: 'recording'; recording: string }
);

const NAME = /^bellbird-([a-z\d]{8})-(.{1,200}?)(\.age)?$/;
const SETTINGS = /^settings-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z\.env$/;
const RECORDING = /^recording-(.{1,150})\.bellbird$/;

/** How the names of a server's files at the target begin. */
export const targetPrefix = (installation: string): string => `bellbird-${installation}-`;

/** The name that a file gets at the target. */
export const targetName = (installation: string, name: string, isEncrypted: boolean): string =>
  `${targetPrefix(installation)}${name}${isEncrypted ? '.age' : ''}`;

/** @param now epoch ms */
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

/** What the files at a target are; those of other names are nobody's business. Backups newest first, then the rest. */
export function readTarget(files: readonly { name: string; bytes: number }[]): TargetItem[] {
  const items = files.flatMap(({ name, bytes }): TargetItem[] => {
    const [, installation, inner, ending] = NAME.exec(name) ?? [];
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
 * The names that a server removes from a target: of its own backups and of its own settings all but the newest. What
 * another made, recordings, and what is dated after now stay.
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

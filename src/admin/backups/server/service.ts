import { statSync } from 'node:fs';
import { join } from 'node:path';
import { databaseBytes, partialOf } from '../../../platform/db/backup.ts';
import type { FactStore } from '../../../platform/db/facts.ts';
import { type BackupKind, backupName } from '../rules/backupName.ts';
import { backupFailedMessage, backupMadeMessage } from '../rules/hostMessage.ts';
import type {
  BackupReport,
  BackupRun,
  BackupWriter,
} from '../../../platform/install/shared/backupProcess.ts';
import { isRecord } from '../../../lib/json.ts';
import type { SystemClock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Administrators } from './administrators.ts';
import { type BackupFile, dropSurplus, listBackups } from './folder.ts';

/** Why the last backup failed; nothing is kept of it once one was made. */
const FAILURE_KEY = 'backup_failure';

/** A backup that failed. `isTold`: administrators know by their chats. */
export type BackupFailure = { at: number; reason: string; isTold: boolean };

/** A backup that is being made: since when, and how far it is, 0 to 1. */
export type RunningBackup = { kind: MadeKind; startedAt: number; progress: number };

type MadeKind = Exclude<BackupKind, 'migration'>;

export type BackupsDeps = {
  clock: SystemClock;
  log: Log;
  facts: FactStore;
  administrators: Administrators;
  /** The folder of the backups, and the database's file. */
  folder: string;
  database: string;
  write: BackupWriter;
};

/** What became of a backup that was asked for; `busy` when another one is being made. */
export type MadeBackup = { name: string; report: BackupReport } | 'busy';

function readFailure(kept: unknown): BackupFailure | null {
  if (!isRecord(kept)) return null;
  const { at, reason, isTold } = kept;
  return typeof at === 'number' && typeof reason === 'string'
    ? { at, reason, isTold: isTold === true }
    : null;
}

/** The backups in the data folder, and the making of them, one at a time. */
export function createBackupsService(deps: BackupsDeps) {
  const { clock, log, facts, administrators, folder, database, write } = deps;
  let running: { name: string; kind: MadeKind; startedAt: number; run: BackupRun } | null = null;

  const failure = (): BackupFailure | null => readFailure(facts.read(FAILURE_KEY));

  function noteFailure(kind: MadeKind, reason: string): void {
    log.error('A backup could not be made', { kind, reason });
    const wasTold = failure()?.isTold === true;
    const isTold = wasTold || kind === 'nightly';
    const keep = (): void => facts.write(FAILURE_KEY, { at: clock.now(), reason, isTold });
    if (kind === 'nightly' && !wasTold) administrators.tell(backupFailedMessage(reason), keep);
    else keep();
  }

  function noteSuccess(kind: MadeKind, name: string, bytes: number, tookMs: number): void {
    log.info('A backup was made and read again', {
      kind,
      name,
      megabytes: Math.round(bytes / 1e5) / 10,
      seconds: Math.round(tookMs / 100) / 10,
    });
    const before = failure();
    if (before === null) return;
    const forget = (): void => facts.write(FAILURE_KEY, null);
    if (before.isTold) administrators.tell(backupMadeMessage(), forget);
    else forget();
  }

  function progressOf(name: string): number {
    const written = statSync(partialOf(join(folder, name)), { throwIfNoEntry: false })?.size ?? 0;
    const whole = databaseBytes(database);
    return whole === 0 ? 0 : Math.min(0.99, written / whole);
  }

  return {
    list: (): BackupFile[] => listBackups(folder),
    failure,

    running: (): RunningBackup | null =>
      running && { kind: running.kind, startedAt: running.startedAt, progress: progressOf(running.name) },

    /** Makes one, and deletes those that are too many then. Never rejects for a reason of the disk. */
    async make(kind: MadeKind): Promise<MadeBackup> {
      if (running !== null) return 'busy';
      const started = clock.monotonic();
      const now = clock.now();
      const name = backupName(kind, now);
      running = { name, kind, startedAt: now, run: write(folder, name) };
      const report = await running.run.finished;
      running = null;
      if (report.ok) {
        noteSuccess(kind, name, report.bytes, clock.monotonic() - started);
        dropSurplus(folder, clock.now());
      } else noteFailure(kind, report.reason);
      return { name, report };
    },

    /** Ends the one that is being made. */
    cancel: (): void => running?.run.cancel(),
  };
}

export type Backups = ReturnType<typeof createBackupsService>;

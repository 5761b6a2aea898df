import { lstatSync, statSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { databaseBytes, partialOf } from '#platform/db/backup.ts';
import { type FactStore, factStore } from '#platform/db/facts.ts';
import {
  type BackupKind,
  backupName,
  type NamedBackup,
  readBackupName,
  surplusBackups,
} from '../rules/keptBackups.ts';
import type { BackupReport, BackupRun, BackupWriter } from '#platform/install/shared/jobProcess.ts';
import { isRecord } from '#lib/json.ts';
import type { App } from '#platform/app.ts';
import type { Log } from '#lib/log.ts';
import { errorCode } from '#lib/errors.ts';
import type { TargetOfBackups } from './targetState.ts';
import { isBackupDue, nextBackup } from '../rules/nightlyTime.ts';

export type BackupFile = NamedBackup & { bytes: number };

/** A folder's names; none when there is no such folder yet. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The backups in a folder, newest first; files of other names are not looked at. */
function listBackups(folder: string): BackupFile[] {
  const files: BackupFile[] = [];
  for (const name of namesIn(folder)) {
    const backup = readBackupName(name);
    // It may have been deleted since it was listed.
    const info = backup && lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (backup && info?.isFile()) files.push({ ...backup, bytes: info.size });
  }
  return files.sort((a, b) => b.madeAt - a.madeAt);
}

/** Why the last backup failed; nothing is kept of it once one was made. */
const FAILURE_KEY = 'backup_failure';

/** A backup that failed. `isNightly`: it is one of the nightly ones, or none of them was made since one failed. */
export type BackupFailure = {
  at: number;
  reason: string;
  isNightly: boolean;
  /** The backup that is here and could not be sent; null where none could be made. */
  unsent: string | null;
};

/** A backup that is being made: since when, and how far it is, 0 to 1. */
export type RunningBackup = {
  kind: MadeKind;
  startedAt: number;
  progress: number;
  step: 'writing' | 'sending';
};

type MadeKind = Exclude<BackupKind, 'migration'>;

/** What became of a backup that was asked for; `busy` when another one is being made. */
export type MadeBackup = { name: string; report: BackupReport } | 'busy';

function readFailure(kept: unknown): BackupFailure | null {
  if (!isRecord(kept)) return null;
  // Earlier versions kept that administrators were told, which they were of nightly ones.
  const { at, reason, isTold, isNightly = isTold, unsent } = kept;
  return typeof at === 'number' && typeof reason === 'string'
    ? { at, reason, isNightly: isNightly === true, unsent: typeof unsent === 'string' ? unsent : null }
    : null;
}

/** The backups in the data folder, and the making of them, one at a time. */
export class Backups {
  #running: { name: string; kind: MadeKind; startedAt: number; run: BackupRun | null } | null = null;

  readonly #facts: FactStore;
  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly target: TargetOfBackups,
    private readonly write: BackupWriter,
  ) {
    this.#facts = factStore(app.db);
    this.#log = app.log.child('backups');
  }

  list(): BackupFile[] {
    return listBackups(this.app.paths.backups);
  }

  /** Why the last one failed; null once one was made. */
  failure(): BackupFailure | null {
    return readFailure(this.#facts.read(FAILURE_KEY));
  }

  /** What failed after the last one had arrived at the target; null if nothing did. */
  warning(): string | null {
    return this.target.view()?.last?.warning ?? null;
  }

  /** The newest verified backup, here or at the target. Skips backups that are dated ahead of the clock. */
  newest(): { madeAt: number; bytes: number } | null {
    const now = this.app.clock.now();
    const here = this.list().find(({ kind, madeAt }) => kind !== 'migration' && madeAt <= now) ?? null;
    const there = this.target.arrived() ?? null;
    return there !== null && there.madeAt > (here?.madeAt ?? 0) ? there : here;
  }

  /** When the nightly job makes the next one, epoch ms, but for its minutes after 03:10. */
  next(): number {
    const { clock, config } = this.app;
    return nextBackup(
      clock.now(),
      this.failure() === null ? this.#lastGood() : null,
      config.backup.everyDays,
    );
  }

  running(): RunningBackup | null {
    if (!this.#running) return null;
    const { name, kind, startedAt, run } = this.#running;
    return run
      ? { kind, startedAt, step: 'writing', progress: this.#progressOf(name) }
      : { kind, startedAt, step: 'sending', progress: this.target.progress() };
  }

  /** Makes one, deletes those that are too many then, and sends it. Never rejects for a reason of the disk. */
  async make(kind: MadeKind): Promise<MadeBackup> {
    if (this.#running !== null) return 'busy';
    const { clock, paths } = this.app;
    const started = clock.monotonic();
    const now = clock.now();
    const name = backupName(kind, now);
    const run = this.write(paths.backups, name);
    this.#running = { name, kind, startedAt: now, run };
    const written = await run.finished;
    if (written.ok) {
      this.#noteWritten(kind, name, written.bytes, clock.monotonic() - started);
      this.#dropSurplus();
    }
    this.#running = null;
    const report = written.ok ? await this.#send(kind, name, written) : written;
    this.#note(kind, report, written.ok ? name : null);
    return { name, report };
  }

  /** What the nightly job does: makes one where one is due, and sends one that is still new and could not be sent. */
  async night(): Promise<MadeBackup | 'not due'> {
    const { clock, config } = this.app;
    const isDue = (last: number | null): boolean => isBackupDue(clock.now(), last, config.backup.everyDays);
    const failure = this.failure();
    if (failure === null) return isDue(this.#lastGood()) ? this.make('nightly') : 'not due';
    const unsent = readBackupName(failure.unsent ?? '');
    return isDue(unsent?.madeAt ?? null) ? this.make('nightly') : this.again();
  }

  /** After a failure: sends the one that was made then, or makes one. */
  async again(): Promise<MadeBackup> {
    const unsent = this.failure()?.unsent ?? null;
    const found = this.list().find(({ name }) => name === unsent);
    if (!found || this.#running !== null) return this.make('nightly');
    const { name, bytes } = found;
    const report = await this.#send('nightly', name, { ok: true, bytes });
    this.#note('nightly', report, name);
    return { name, report };
  }

  /** Ends the one that is being made. */
  cancel(): void {
    this.#running?.run?.cancel();
    this.target.cancel();
  }

  /** @param written what is here already, which is all where no target is set */
  async #send(kind: MadeKind, name: string, written: BackupReport): Promise<BackupReport> {
    this.#running = { name, kind, startedAt: this.app.clock.now(), run: null };
    try {
      return (await this.target.send(name, join(this.app.paths.backups, name))) ?? written;
    } finally {
      this.#running = null;
    }
  }

  /** When the last one was made that is where it belongs, epoch ms. */
  #lastGood(): number | null {
    const there = this.target.arrived();
    return there === undefined ? (this.newest()?.madeAt ?? null) : (there?.madeAt ?? null);
  }

  /** @param here the one that was written; null when none could be */
  #note(kind: MadeKind, report: BackupReport, here: string | null): void {
    const before = this.failure()?.unsent ?? null;
    if (report.ok) this.#noteSuccess();
    else this.#noteFailure(kind, report.reason, here);
    const { isKeptLocally, place } = this.app.config.backup;
    if (isKeptLocally || place === null || here === null) return;
    // One that could not be sent is needed until there is a newer one.
    if (before !== null && before !== here) this.#remove(before);
    if (report.ok) this.#remove(here);
  }

  /** Deletes those that `surplusBackups` names. */
  #dropSurplus(): void {
    for (const { name } of surplusBackups(this.list(), this.app.clock.now())) this.#remove(name);
  }

  /** What can't be removed makes no failure of the backup that was made. */
  #remove(name: string): void {
    if (readBackupName(name) === null) return;
    try {
      rmSync(join(this.app.paths.backups, name), { force: true });
    } catch (error) {
      this.#log.error('A backup that is not needed any more could not be removed', { name, error });
    }
  }

  /** @param unsent the one that is here and was not sent */
  #noteFailure(kind: MadeKind, reason: string, unsent: string | null): void {
    this.#log.error(
      unsent === null ? 'A backup could not be made' : 'A backup was made and could not be sent',
      {
        kind,
        reason,
      },
    );
    const isNightly = kind === 'nightly' || this.failure()?.isNightly === true;
    this.#facts.write(FAILURE_KEY, { at: this.app.clock.now(), reason, isNightly, unsent });
  }

  #noteWritten(kind: MadeKind, name: string, bytes: number, tookMs: number): void {
    this.#log.info('A backup was made and read again', {
      kind,
      name,
      megabytes: Math.round(bytes / 1e5) / 10,
      seconds: Math.round(tookMs / 100) / 10,
    });
  }

  #noteSuccess(): void {
    if (this.failure() !== null) this.#facts.write(FAILURE_KEY, null);
  }

  #progressOf(name: string): number {
    const { backups, database } = this.app.paths;
    const written = statSync(partialOf(join(backups, name)), { throwIfNoEntry: false })?.size ?? 0;
    const whole = databaseBytes(database);
    return whole === 0 ? 0 : Math.min(0.99, written / whole);
  }
}

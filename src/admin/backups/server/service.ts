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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The backups in a folder, newest first. Ignores files with other names. */
function listBackups(folder: string): BackupFile[] {
  const files: BackupFile[] = [];
  for (const name of namesIn(folder)) {
    const backup = readBackupName(name);
    const info = backup && lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (backup && info?.isFile()) files.push({ ...backup, bytes: info.size });
  }
  return files.sort((a, b) => b.madeAt - a.madeAt);
}

/** Fact with the reason of the last failure. The next success deletes it. */
const FAILURE_KEY = 'backup_failure';

/** `isNightly` is true if a nightly backup failed and none has succeeded since. */
export type BackupFailure = {
  at: number;
  reason: string;
  isNightly: boolean;
  /** The local backup that could not be sent; null if none exists. */
  unsent: string | null;
};

/** A backup in progress; `progress` is from 0 to 1. */
export type RunningBackup = {
  kind: MadeKind;
  startedAt: number;
  progress: number;
  step: 'writing' | 'sending';
};

type MadeKind = Exclude<BackupKind, 'migration'>;

/** The result of a requested backup; `busy` if another one is running. */
export type MadeBackup = { name: string; report: BackupReport } | 'busy';

function readFailure(kept: unknown): BackupFailure | null {
  if (!isRecord(kept)) return null;
  // Earlier versions stored whether administrators were notified, which was only done for nightly backups.
  const { at, reason, isTold, isNightly = isTold, unsent } = kept;
  return typeof at === 'number' && typeof reason === 'string'
    ? { at, reason, isNightly: isNightly === true, unsent: typeof unsent === 'string' ? unsent : null }
    : null;
}

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

  failure(): BackupFailure | null {
    return readFailure(this.#facts.read(FAILURE_KEY));
  }

  /** What failed after the last one arrived at the target; null if nothing did. */
  warning(): string | null {
    return this.target.view()?.last?.warning ?? null;
  }

  /** The newest verified backup, here or at the target. Ignores backups dated in the future. */
  newest(): { madeAt: number; bytes: number } | null {
    const now = this.app.clock.now();
    const here = this.list().find(({ kind, madeAt }) => kind !== 'migration' && madeAt <= now) ?? null;
    const there = this.target.arrived() ?? null;
    return there !== null && there.madeAt > (here?.madeAt ?? 0) ? there : here;
  }

  /** When the nightly job makes the next backup, epoch ms, without the minutes after 03:10. */
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

  /** Makes a backup, deletes surplus ones and sends it. Does not reject because of disk errors. */
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

  /** The nightly job: makes a backup if one is due, and sends a recent one that could not be sent. */
  async night(): Promise<MadeBackup | 'not due'> {
    const { clock, config } = this.app;
    const isDue = (last: number | null): boolean => isBackupDue(clock.now(), last, config.backup.everyDays);
    const failure = this.failure();
    if (failure === null) return isDue(this.#lastGood()) ? this.make('nightly') : 'not due';
    const unsent = readBackupName(failure.unsent ?? '');
    return isDue(unsent?.madeAt ?? null) ? this.make('nightly') : this.again();
  }

  /** Retries after a failure: sends the existing backup, or makes one. */
  async again(): Promise<MadeBackup> {
    const unsent = this.failure()?.unsent ?? null;
    const found = this.list().find(({ name }) => name === unsent);
    if (!found || this.#running !== null) return this.make('nightly');
    const { name, bytes } = found;
    const report = await this.#send('nightly', name, { ok: true, bytes });
    this.#note('nightly', report, name);
    return { name, report };
  }

  cancel(): void {
    this.#running?.run?.cancel();
    this.target.cancel();
  }

  /** Sends a backup to the target. @param written the local result, which is final if no target is set */
  async #send(kind: MadeKind, name: string, written: BackupReport): Promise<BackupReport> {
    this.#running = { name, kind, startedAt: this.app.clock.now(), run: null };
    try {
      return (await this.target.send(name, join(this.app.paths.backups, name))) ?? written;
    } finally {
      this.#running = null;
    }
  }

  /** When the last backup was made that reached its destination, epoch ms; null for none. */
  #lastGood(): number | null {
    const there = this.target.arrived();
    return there === undefined ? (this.newest()?.madeAt ?? null) : (there?.madeAt ?? null);
  }

  /** Stores the result of a backup. @param here the written backup; null if there is none */
  #note(kind: MadeKind, report: BackupReport, here: string | null): void {
    const before = this.failure()?.unsent ?? null;
    if (report.ok) this.#noteSuccess();
    else this.#noteFailure(kind, report.reason, here);
    const { isKeptLocally, place } = this.app.config.backup;
    if (isKeptLocally || place === null || here === null) return;
    if (before !== null && before !== here) this.#remove(before);
    if (report.ok) this.#remove(here);
  }

  #dropSurplus(): void {
    for (const { name } of surplusBackups(this.list(), this.app.clock.now())) this.#remove(name);
  }

  /** Deletes a backup. A failure to delete does not fail the backup. */
  #remove(name: string): void {
    if (readBackupName(name) === null) return;
    try {
      rmSync(join(this.app.paths.backups, name), { force: true });
    } catch (error) {
      this.#log.error('Could not remove an old backup', { name, error });
    }
  }

  /** @param unsent the local backup that could not be sent; null if none was made */
  #noteFailure(kind: MadeKind, reason: string, unsent: string | null): void {
    this.#log.error(
      unsent === null ? 'Could not make a backup' : 'Made a backup but could not send it to the target',
      {
        kind,
        reason,
      },
    );
    const isNightly = kind === 'nightly' || this.failure()?.isNightly === true;
    this.#facts.write(FAILURE_KEY, { at: this.app.clock.now(), reason, isNightly, unsent });
  }

  #noteWritten(kind: MadeKind, name: string, bytes: number, tookMs: number): void {
    this.#log.info('Made and verified a backup', {
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

import type { App } from '#platform/app.ts';
import { isRecord } from '#lib/json.ts';
import type { Log } from '#lib/log.ts';
import { placeText } from '#platform/backupTarget/target.ts';
import { type FactStore, factStore } from '#platform/db/facts.ts';
import {
  type BackupReport,
  createJobRunner,
  type JobRun,
  type JobRunner,
} from '#platform/install/shared/jobProcess.ts';
import { readBackupName } from '../rules/keptBackups.ts';
import type { SendJob } from './targetJobs.ts';

export type SentBackup = {
  name: string;
  bytes: number;
  sentAt: number;
  /** A description of the target; null from earlier versions. */
  where: string | null;
  warning: string | null;
};

const KEY = 'backup_sent';

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function readSent(kept: unknown): SentBackup | null {
  if (!isRecord(kept)) return null;
  const { name, bytes, sentAt, where, warning } = kept;
  return typeof name === 'string' && typeof bytes === 'number' && typeof sentAt === 'number'
    ? { name, bytes, sentAt, where: textOrNull(where), warning: textOrNull(warning) }
    : null;
}

export class TargetOfBackups {
  #run: JobRun | null = null;
  #progress = 0;

  readonly #facts: FactStore;
  readonly #start: JobRunner;

  /** @param settingsFile returns the settings as the file that a new machine needs */
  constructor(
    private readonly app: App,
    private readonly log: Log,
    private readonly settingsFile: () => string,
  ) {
    this.#facts = factStore(app.db);
    this.#start = createJobRunner('send-backup', app.program.env);
  }

  view() {
    const { place, lock, kept, isKeptLocally } = this.app.config.backup;
    if (place === null) return null;
    const where = placeText(place);
    return { where, isEncrypted: lock !== null, kept, isKeptLocally, last: this.#last(where) };
  }

  /**
   * The last backup that arrived at the target, with the time when it was made (epoch ms). Null if there is none or it
   * is dated in the future, undefined if no target is set.
   */
  arrived(): { madeAt: number; bytes: number } | null | undefined {
    const view = this.view();
    if (view === null) return undefined;
    const named = readBackupName(view.last?.name ?? '');
    if (view.last === null || named === null || named.madeAt > this.app.clock.now()) return null;
    return { madeAt: named.madeAt, bytes: view.last.bytes };
  }

  progress(): number {
    return this.#progress;
  }

  /** Sends a backup. Never rejects. @returns null if no target is set */
  async send(name: string, file: string): Promise<BackupReport | null> {
    const { config, clock, paths } = this.app;
    const { place, lock, kept, withSettings, withRecordings } = config.backup;
    if (place === null) return null;
    const started = clock.monotonic();
    const job: SendJob = {
      kind: 'send',
      database: paths.database,
      place,
      lock,
      kept,
      name,
      file,
      now: clock.now(),
      settings: withSettings ? this.settingsFile() : null,
      recordings: withRecordings ? paths.recordings : null,
    };
    this.#progress = 0;
    this.#run = this.#start(job, (share) => {
      this.#progress = share;
    });
    const report = await this.#run.finished;
    this.#run = null;
    const where = placeText(place);
    if (!report.ok) return { ok: false, reason: `The backup could not be sent. ${report.reason}` };
    const bytes = typeof report['bytes'] === 'number' ? report['bytes'] : 0;
    const warning = textOrNull(report['warning']);
    this.#facts.write(KEY, { name, bytes, sentAt: clock.now(), where, warning } satisfies SentBackup);
    if (warning !== null) this.log.warn('Sent a backup to the target, but a later step failed', { warning });
    this.log.info('Sent a backup to the target and verified it', {
      where,
      name,
      megabytes: Math.round(bytes / 1e5) / 10,
      seconds: Math.round((clock.monotonic() - started) / 100) / 10,
    });
    return { ok: true, bytes };
  }

  cancel(): void {
    this.#run?.cancel();
  }

  /** The last sent backup, if it was sent to this target. */
  #last(where: string): SentBackup | null {
    const sent = readSent(this.#facts.read(KEY));
    return sent !== null && (sent.where ?? where) === where ? sent : null;
  }
}

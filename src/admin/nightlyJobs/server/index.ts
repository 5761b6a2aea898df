import { DAY_MS } from '#lib/units.ts';
import { type FactStore, factStore } from '#platform/db/facts.ts';
import { isNightDue, nextNight } from '#admin/backups/rules/nightlyTime.ts';
import type { Inspection } from '#lib/inspection.ts';
import type { Log } from '#lib/log.ts';
import { isRecord } from '#lib/json.ts';
import type { App, Part, Pruned } from '#platform/app.ts';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '#lib/errors.ts';

const KEPT_DAYS = 30;
/** Rotated log files: `bellbird.log.3`. */
const PUT_ASIDE = /^[\w.-]{1,100}\.log\.\d{1,3}$/;

function oldLogs(folder: string, before: number): string[] {
  try {
    return readdirSync(folder).filter((name) => {
      if (!PUT_ASIDE.test(name)) return false;
      const info = statSync(join(folder, name), { throwIfNoEntry: false });
      return info?.isFile() === true && info.mtimeMs < before;
    });
  } catch (error) {
    // No log file was written yet.
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Deletes rotated log files older than thirty days. @param now epoch ms */
function dropOldLogs(folder: string, now: number): Pruned {
  const names = oldLogs(folder, now - KEPT_DAYS * DAY_MS);
  for (const name of names) rmSync(join(folder, name), { force: true });
  return { removed: names.length, hasMore: false };
}

type Pruner = { name: string; prune(): Pruned };

type NightReport = {
  startedAt: number;
  tookMs: number;
  /** Name of the backup, or why there is none. */
  backup: string;
  isBackedUp: boolean;
  /** Numbers of deleted rows and files, by part; parts without any are missing. */
  removed: Record<string, number>;
  failed: string[];
};

/** Pause between two pieces of work, ms, for other requests. */
const PAUSE_MS = 200;
const MAX_STEPS = 50_000;

const RUN_KEY = 'nightly_run';
const CHECK_EVERY_MS = 60_000;
/** Delay after the start, when a missed night is made up. */
const FIRST_CHECK_MS = 2 * 60_000;
const MAX_JITTER_MS = 10 * 60_000;
const RETRY_MS = 3_600_000;

const at = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

class NightlyJob {
  readonly #facts: FactStore;
  readonly #log: Log;
  readonly #pruners: readonly Pruner[];
  readonly #jitterMs: number;
  #cancel: (() => void) | null = null;
  #isStopped = false;
  #isWorking = false;
  #last: NightReport | null = null;
  /** Time of the next attempt, ms of the monotonic clock; null if the last backup succeeded. */
  #retryAt: number | null = null;

  constructor(
    private readonly app: App,
    parts: readonly Pick<Part, 'name' | 'prune'>[],
    random: () => number,
  ) {
    this.#facts = factStore(app.db);
    this.#log = app.log.child('nightly');
    this.#jitterMs = Math.floor(random() * MAX_JITTER_MS);
    this.#pruners = [
      ...parts.flatMap(({ name, prune }) => (prune ? [{ name, prune }] : [])),
      { name: 'log files', prune: () => dropOldLogs(app.paths.logs, app.clock.now()) },
    ];
  }

  start(): void {
    if (this.#cancel || this.#isWorking) return;
    this.#isStopped = false;
    // Retries soon, because a restart may have corrected a setting of the target.
    if (this.app.backups.failure()?.isNightly === true) this.#retryAt = this.app.clock.monotonic();
    this.#cancel = this.app.schedule(FIRST_CHECK_MS, () => this.#again());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#cancel = null;
  }

  async work(): Promise<void> {
    const startedAt = this.app.clock.now();
    const before = this.app.clock.monotonic();
    const pruned = await this.#prune();
    if (this.#isStopped) return;
    const backup = await this.#backUp();
    if (this.#isStopped) return;
    this.#facts.write(RUN_KEY, { at: startedAt });
    const tookMs = Math.round(this.app.clock.monotonic() - before);
    this.#last = { startedAt, tookMs, ...backup, ...pruned };
    this.#log.info('The nightly work has finished', {
      removed: pruned.removed,
      backup: backup.backup,
      seconds: Math.round(tookMs / 100) / 10,
    });
  }

  inspect(): Inspection {
    const last = this.#last;
    return {
      label: 'Nightly work',
      description: 'Removals and backup of the last nightly run, and when the next one starts.',
      summary: {
        last: at(this.#lastRun()),
        next: at(nextNight(this.app.clock.now()) + this.#jitterMs),
        backup: last?.backup ?? null,
        removed: last === null ? null : Object.values(last.removed).reduce((sum, count) => sum + count, 0),
      },
      data: () => ({ last }),
    };
  }

  /** When the job last ran, epoch ms; null if it never did. */
  #lastRun(): number | null {
    const kept = this.#facts.read(RUN_KEY);
    return isRecord(kept) && typeof kept['at'] === 'number' ? kept['at'] : null;
  }

  /** Calls every pruner until nothing is left to remove. A failed one does not stop the others. */
  async #prune(): Promise<Pick<NightReport, 'removed' | 'failed'>> {
    const removed: Record<string, number> = {};
    const failed: string[] = [];
    for (const { name, prune } of this.#pruners) {
      let count = 0;
      try {
        for (let step = 0; step < MAX_STEPS && !this.#isStopped; step += 1) {
          const done = prune();
          count += done.removed;
          if (!done.hasMore) break;
          await new Promise<void>((resolve) => {
            this.app.schedule(PAUSE_MS, resolve);
          });
        }
      } catch (error) {
        this.#log.error('Could not remove old data; trying again next night', {
          part: name,
          error,
        });
        failed.push(name);
      }
      if (count > 0) removed[name] = count;
    }
    return { removed, failed };
  }

  async #backUp(isAgain = false): Promise<Pick<NightReport, 'backup' | 'isBackedUp'>> {
    const { backups } = this.app;
    const made = await (isAgain ? backups.again() : backups.night());
    if (made === 'not due') return { backup: 'not due', isBackedUp: false };
    // A backup on request counts too.
    if (made === 'busy') return { backup: 'another backup was running', isBackedUp: true };
    const { report } = made;
    this.#retryAt = report.ok ? null : this.app.clock.monotonic() + RETRY_MS;
    return { backup: report.ok ? made.name : report.reason, isBackedUp: report.ok };
  }

  async #check(): Promise<void> {
    const clock = this.app.clock;
    try {
      const known = this.#lastRun();
      // A new installation waits for the next night.
      if (known === null) this.#facts.write(RUN_KEY, { at: clock.now() });
      else if (isNightDue(clock.now(), known, this.#jitterMs)) await this.work();
      else if (this.#retryAt !== null && clock.monotonic() >= this.#retryAt) await this.#backUp(true);
    } catch (error) {
      if (!this.#isStopped) this.#log.error('The nightly work failed; trying again', { error });
    }
  }

  #again(): void {
    this.#isWorking = true;
    void this.#check().finally(() => {
      this.#isWorking = false;
      if (!this.#isStopped) this.#cancel = this.app.schedule(CHECK_EVERY_MS, () => this.#again());
    });
  }
}

/**
 * The nightly job, some minutes after 03:10 in Sydney: deletes old data, makes a backup, and logs one line. A missed
 * night is made up after the next start. A failed backup is retried every hour, and soon after a start.
 */
export function createNightly(
  app: App,
  parts: readonly Pick<Part, 'name' | 'prune'>[],
  random = Math.random,
) {
  const job = new NightlyJob(app, parts, random);
  return {
    name: 'nightly',
    service: job,
    start: () => job.start(),
    stop: () => job.stop(),
    inspect: () => job.inspect(),
  } satisfies Part;
}

import { factStore } from '../../../platform/db/facts.ts';
import { isNightDue, nextNight } from '../../backups/rules/nightlyTime.ts';
import { isRecord } from '../../../lib/json.ts';
import { type Scheduler, timerScheduler } from '../../../lib/scheduler.ts';
import type { Core, Part } from '../../../part.ts';
import type { Backups } from '../../backups/server/service.ts';
import { dropOldLogs } from './oldFiles.ts';
import { type NightReport, type Pruner, pruneAll } from './work.ts';

export type NightlyNeeds = {
  /** Whatever keeps something for a while. */
  parts: readonly Pick<Part, 'name' | 'prune'>[];
  backups: Pick<Backups, 'make'>;
  logs: string;
  schedule?: Scheduler;
  /** From 0 to below 1. */
  random?: () => number;
};

/** When the job began last, epoch ms, kept over a restart. */
const RUN_KEY = 'nightly_run';
const LOOK_EVERY_MS = 60_000;
/** A night that was missed is made up for when the start is over. */
const FIRST_LOOK_MS = 2 * 60_000;
const MAX_JITTER_MS = 10 * 60_000;
/** A backup that failed is tried again. */
const RETRY_MS = 3_600_000;

const at = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/**
 * The nightly job, at 03:10 in Sydney and some minutes: removes what is kept for a while and is too old, then makes a
 * backup, and says in one line of the log what it did. A night in which the machine was off is made up for after the next
 * start; a backup that failed is tried again every hour.
 */
export function createNightly(core: Pick<Core, 'db' | 'clock' | 'log'>, needs: NightlyNeeds) {
  const { db, clock } = core;
  const { parts, backups, logs, schedule = timerScheduler, random = Math.random } = needs;
  const log = core.log.child('nightly');
  const facts = factStore(db);
  const jitterMs = Math.floor(random() * MAX_JITTER_MS);
  const pruners: readonly Pruner[] = [
    ...parts.flatMap(({ name, prune }) => (prune ? [{ name, prune }] : [])),
    { name: 'log files', prune: () => dropOldLogs(logs, clock.now()) },
  ];
  let cancel: (() => void) | null = null;
  let isStopped = false;
  let isWorking = false;
  let last: NightReport | null = null;
  /** By the stopwatch; null while the last backup is a good one. */
  let retryAt: number | null = null;

  const lastRun = (): number | null => {
    const kept = facts.read(RUN_KEY);
    return isRecord(kept) && typeof kept['at'] === 'number' ? kept['at'] : null;
  };
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      schedule(ms, resolve);
    });

  async function backUp(): Promise<Pick<NightReport, 'backup' | 'isBackedUp'>> {
    const made = await backups.make('nightly');
    // Somebody asked for one at this moment: it is as good.
    if (made === 'busy') return { backup: 'another one was being made', isBackedUp: true };
    const { ok } = made.report;
    retryAt = ok ? null : clock.monotonic() + RETRY_MS;
    return { backup: made.report.ok ? made.name : made.report.reason, isBackedUp: ok };
  }

  /** All of it, now. */
  async function work(): Promise<void> {
    const startedAt = clock.now();
    const before = clock.monotonic();
    const pruned = await pruneAll(pruners, { log, pause, isStopped: () => isStopped });
    if (isStopped) return;
    const backup = await backUp();
    if (isStopped) return;
    facts.write(RUN_KEY, { at: startedAt });
    last = { startedAt, tookMs: Math.round(clock.monotonic() - before), ...backup, ...pruned };
    log.info('The nightly work is done', {
      removed: last.removed,
      backup: last.backup,
      seconds: Math.round(last.tookMs / 100) / 10,
    });
  }

  async function look(): Promise<void> {
    try {
      const known = lastRun();
      // The first night of an installation is the next one.
      if (known === null) facts.write(RUN_KEY, { at: clock.now() });
      else if (isNightDue(clock.now(), known, jitterMs)) await work();
      else if (retryAt !== null && clock.monotonic() >= retryAt) await backUp();
    } catch (error) {
      if (!isStopped) log.error('The nightly work failed; trying again', { error });
    }
  }

  function again(): void {
    isWorking = true;
    void look().finally(() => {
      isWorking = false;
      if (!isStopped) cancel = schedule(LOOK_EVERY_MS, again);
    });
  }

  return {
    name: 'nightly',
    service: { work },
    start() {
      if (cancel || isWorking) return;
      isStopped = false;
      cancel = schedule(FIRST_LOOK_MS, again);
    },
    stop() {
      isStopped = true;
      cancel?.();
      cancel = null;
    },
    inspect: () => ({
      label: 'Nightly work',
      description: 'What the last nightly job removed and backed up, and when the next one is.',
      summary: {
        last: at(lastRun()),
        next: at(nextNight(clock.now()) + jitterMs),
        backup: last?.backup ?? null,
        removed: last === null ? null : Object.values(last.removed).reduce((sum, count) => sum + count, 0),
      },
      data: () => ({ last }),
    }),
  } satisfies Part;
}

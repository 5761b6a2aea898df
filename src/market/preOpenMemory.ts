import type { PreOpenSnapshot } from './rules/stock.ts';
import type { Log } from '../lib/log.ts';
import type { App, Part } from '#platform/app.ts';
import type { ChangeSet, Market } from './types.ts';
import { isRecord } from '../lib/json.ts';
import { readMap } from '../lib/read.ts';
import { addDays } from './rules/sydneyTime.ts';
import { Segments } from './segments.ts';

const KEEP_DAYS = 7;

type Snapshots = Map<string, PreOpenSnapshot>;

const isNumberOrNull = (value: unknown): value is number | null =>
  value === null || (typeof value === 'number' && Number.isFinite(value));

function readSnapshot(value: unknown): PreOpenSnapshot | null {
  if (!isRecord(value)) return null;
  const { capturedAt, indicativeChangePercent, match_price, match_vol, match_value, buy_surplus } = value;
  if (typeof capturedAt !== 'string' || Number.isNaN(Date.parse(capturedAt))) return null;
  if (!isNumberOrNull(indicativeChangePercent) || !isNumberOrNull(match_price)) return null;
  if (!isNumberOrNull(match_vol) || !isNumberOrNull(match_value) || !isNumberOrNull(buy_surplus)) return null;
  return { capturedAt, indicativeChangePercent, match_price, match_vol, match_value, buy_surplus };
}

const form = {
  read: (plain: unknown): Snapshots | null =>
    isRecord(plain) ? new Map(Object.entries(readMap(plain, readSnapshot))) : null,
  plain: (snapshots: Snapshots): unknown => Object.fromEntries(snapshots),
};

const WRITE_EVERY_MS = 5_000;

/** Gives the Market the snapshots of its session back. */
function restore(market: Market, kept: Segments<Snapshots>, log: Log): void {
  const date = market.date();
  const found = new Map([...kept.load(date, date)].flatMap((snapshots) => [...snapshots]));
  market.restorePreOpen(date, found);
  if (found.size > 0) log.info('Pre-open snapshots of the session restored', { date, count: found.size });
}

class WaitingSnapshots {
  private readonly waiting = new Map<string, Snapshots>();

  constructor(
    private readonly kept: Segments<Snapshots>,
    private readonly log: Log,
  ) {}

  note(date: string, code: string, snapshot: PreOpenSnapshot | null | undefined): void {
    if (!snapshot) return;
    const day: Snapshots = this.waiting.get(date) ?? new Map();
    this.waiting.set(date, day.set(code, snapshot));
  }

  flush(): void {
    try {
      for (const [date, snapshots] of this.waiting) {
        this.kept.append(date, snapshots);
        this.waiting.delete(date);
      }
    } catch (error) {
      this.log.error('Pre-open snapshots could not be saved; trying again', { error });
    }
  }

  count(): number {
    return [...this.waiting.values()].reduce((sum, day) => sum + day.size, 0);
  }

  plain(): Record<string, Record<string, PreOpenSnapshot>> {
    return Object.fromEntries([...this.waiting].map(([date, day]) => [date, Object.fromEntries(day)]));
  }
}

/**
 * Stores pre-open snapshots over a restart: `start` restores those of the session and source; new ones are
 * written in batches; `stop` writes the rest.
 */
export function createPreOpenMemory(app: App, writeEveryMs = WRITE_EVERY_MS) {
  const { market } = app;
  const log = app.log.child('memory');
  const kept = new Segments(app.db, app.source.name, 'preOpen', log, form);
  const waiting = new WaitingSnapshots(kept, log);
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    name: 'pre-open memory',
    onChanges(changes: ChangeSet | null): void {
      if (!changes) return;
      const date = market.date();
      for (const code in changes.upsert)
        if (changes.upsert[code]?.preOpen) waiting.note(date, code, market.get(code)?.preOpen?.snapshot);
    },
    start() {
      restore(market, kept, log);
      timer ??= setInterval(() => waiting.flush(), writeEveryMs);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      waiting.flush();
    },
    prune: () => ({ removed: kept.prune(addDays(market.date(), -KEEP_DAYS)), hasMore: false }),
    inspect: () => ({
      label: 'Pre-open snapshots to be written',
      description: 'What the next write puts into the database, by day and code.',
      type: 'map' as const,
      summary: { waiting: waiting.count() },
      data: () => waiting.plain(),
    }),
  } satisfies Part;
}

import type { Stopwatch } from '#lib/clock.ts';
import type { Release } from '../source.ts';
import { keyVariants, type Listed } from './item.ts';

/** What one look at the list showed of a stretch of it. */
export type Look = {
  /** Ids of everything that was there. */
  ids: ReadonlySet<string>;
  /** Nothing newer than this, epoch ms, was missing because of where the look ended. */
  from: number;
  /** Of the newest announcement there, epoch ms. */
  newest: number;
};

/** A list that lacks too much to be true. */
export type ShortList = { listed: number; expected: number };

type Entry = {
  time: number;
  /** Everything that a correction may change. */
  content: string;
  /** Whether all that is older was listed too when this was taken. */
  settled: boolean;
  missed: number;
  /** By the stopwatch. */
  missedSince: number;
};

/** This many looks in a row must lack an announcement. */
const MISSED_LOOKS = 2;
/** A list that ends before the newest ones may be an old copy: those must be missing for longer. */
const NEWEST_MISSED_MS = 5 * 60_000;
/** So few may be missing at once, or so large a share; more is a fault of the list. */
const A_FEW = 3;
const MAX_MISSING_SHARE = 0.1;

const contentOf = ({
  code,
  time,
  headline,
  document,
  announcementTypes,
  isPriceSensitive,
}: Release): string => JSON.stringify([code, time, headline, document, announcementTypes, isPriceSensitive]);

/** Whether an announcement that is not there now was missing often and long enough. */
function isWithdrawn(entry: Entry, look: Look, now: number): boolean {
  entry.missed += 1;
  if (entry.missed === 1) entry.missedSince = now;
  if (entry.missed < MISSED_LOOKS) return false;
  return entry.time <= look.newest || now - entry.missedSince >= NEWEST_MISSED_MS;
}

/**
 * Remembers what the market's list held: to tell what is new, what was corrected and what was withdrawn, and where a
 * walk through the pages may end. Only what came by the list counts: an announcement that is known from elsewhere says
 * nothing of those beneath it.
 */
export class ListMemory {
  private readonly entries = new Map<string, Entry>();

  /** @param options.knows whether an announcement is kept already, also from before the start */
  constructor(private readonly options: { stopwatch: Stopwatch; knows: (id: string) => boolean }) {}

  /** Takes a page in its order. @returns what is new or has changed, and ids and whether older pages are known */
  take(items: readonly Listed[]): { releases: Release[]; ids: string[]; meetsKnown: boolean } {
    const releases: Release[] = [];
    const ids: string[] = [];
    let meetsKnown = false;
    for (const item of items) {
      const { plainKey: _, ...rest } = item;
      const release = { ...rest, id: this.idOf(item) };
      const { id, time } = release;
      const content = contentOf(release);
      const entry = this.entries.get(id);
      ids.push(id);
      // One that was given another date stands above others that are not known yet.
      if (entry?.settled && entry.time === time) meetsKnown = true;
      if (entry?.content === content) entry.missed = 0;
      else {
        releases.push(release);
        this.entries.set(id, { time, content, settled: false, missed: 0, missedSince: 0 });
      }
    }
    return { releases, ids, meetsKnown };
  }

  /** Everything taken so far came in a row without gaps. */
  settle(): void {
    for (const entry of this.entries.values()) entry.settled = true;
  }

  /**
   * Compares what was listed before with what a look showed.
   * @returns ids that were missing for the second time; whether any is missing for the first time; a list that is too
   *   short, of which nothing is believed
   */
  compare(look: Look): { withdrawn: string[]; isAnyMissing: boolean; short: ShortList | null } {
    const expected = [...this.entries].filter(([, { time }]) => time > look.from);
    const gone = expected.filter(([id]) => !look.ids.has(id));
    if (gone.length > Math.max(A_FEW, expected.length * MAX_MISSING_SHARE)) {
      const listed = expected.length - gone.length;
      return { withdrawn: [], isAnyMissing: true, short: { listed, expected: expected.length } };
    }
    const now = this.options.stopwatch.monotonic();
    const isAnyMissing = gone.some(([, { missed }]) => missed === 0);
    const withdrawn = gone.filter(([, entry]) => isWithdrawn(entry, look, now)).map(([id]) => id);
    this.drop(withdrawn);
    return { withdrawn, isAnyMissing, short: null };
  }

  has(id: string): boolean {
    return this.entries.has(id);
  }

  /** Takes over what an earlier run kept, so that what was withdrawn since is missed. */
  restore(kept: readonly Pick<Release, 'id' | 'time'>[]): void {
    for (const { id, time } of kept) {
      if (this.entries.has(id)) continue;
      this.entries.set(id, { time, content: '', settled: false, missed: 0, missedSince: 0 });
    }
  }

  /** Forgets some, so that they count as new the next time. */
  drop(ids: readonly string[]): void {
    for (const id of ids) this.entries.delete(id);
  }

  /** Forgets what was released before this moment, epoch ms. */
  forget(before: number): void {
    for (const [id, { time }] of this.entries) if (time < before) this.entries.delete(id);
  }

  size(): number {
    return this.entries.size;
  }

  /** The id that an announcement already has: its key may have changed together with its mark. */
  private idOf({ id, plainKey }: Listed): string {
    if (this.entries.has(id)) return id;
    const others = keyVariants(plainKey).filter((key) => key !== id);
    return others.find((key) => this.entries.has(key)) ?? [id, ...others].find(this.options.knows) ?? id;
  }
}

import type { Stopwatch } from '../../../lib/clock.ts';
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

export type ListMemory = {
  /** Takes a page in its order. @returns what is new or has changed, and ids and whether older pages are known */
  take(items: readonly Listed[]): { releases: Release[]; ids: string[]; meetsKnown: boolean };
  /** Everything taken so far came in a row without gaps. */
  settle(): void;
  /**
   * Compares what was listed before with what a look showed.
   * @returns ids that were missing for the second time; whether any is missing for the first time; a list that is too
   *   short, of which nothing is believed
   */
  compare(look: Look): { withdrawn: string[]; isAnyMissing: boolean; short: ShortList | null };
  has(id: string): boolean;
  /** Takes over what an earlier run kept, so that what was withdrawn since is missed. */
  restore(kept: readonly Pick<Release, 'id' | 'time'>[]): void;
  /** Forgets some, so that they count as new the next time. */
  drop(ids: readonly string[]): void;
  /** Forgets what was released before this moment, epoch ms. */
  forget(before: number): void;
  size(): number;
};

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

/** So many looks in a row must lack an announcement. */
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

/**
 * Remembers what the market's list held: to tell what is new, what was corrected and what was withdrawn, and where a
 * walk through the pages may end. Only what came by the list counts: an announcement that is known from elsewhere says
 * nothing of those beneath it.
 * @param knows whether an announcement is kept already, also from before the start
 */
export function createListMemory(options: {
  stopwatch: Stopwatch;
  knows: (id: string) => boolean;
}): ListMemory {
  const entries = new Map<string, Entry>();

  /** The id that an announcement already has: its key may have changed together with its mark. */
  const idOf = ({ id, plainKey }: Listed): string => {
    if (entries.has(id)) return id;
    const others = keyVariants(plainKey).filter((key) => key !== id);
    return others.find((key) => entries.has(key)) ?? [id, ...others].find(options.knows) ?? id;
  };

  const missing = (entry: Entry, look: Look, now: number): boolean => {
    entry.missed += 1;
    if (entry.missed === 1) entry.missedSince = now;
    if (entry.missed < MISSED_LOOKS) return false;
    return entry.time <= look.newest || now - entry.missedSince >= NEWEST_MISSED_MS;
  };

  return {
    take(items) {
      const releases: Release[] = [];
      const ids: string[] = [];
      let meetsKnown = false;
      for (const item of items) {
        const { plainKey: _, ...rest } = item;
        const release = { ...rest, id: idOf(item) };
        const { id, time } = release;
        const content = contentOf(release);
        const entry = entries.get(id);
        ids.push(id);
        // One that was dated anew stands above others that are not known yet.
        if (entry?.settled && entry.time === time) meetsKnown = true;
        if (entry?.content === content) entry.missed = 0;
        else {
          releases.push(release);
          entries.set(id, { time, content, settled: false, missed: 0, missedSince: 0 });
        }
      }
      return { releases, ids, meetsKnown };
    },
    settle() {
      for (const entry of entries.values()) entry.settled = true;
    },
    compare(look) {
      const expected = [...entries].filter(([, { time }]) => time > look.from);
      const gone = expected.filter(([id]) => !look.ids.has(id));
      if (gone.length > Math.max(A_FEW, expected.length * MAX_MISSING_SHARE)) {
        const listed = expected.length - gone.length;
        return { withdrawn: [], isAnyMissing: true, short: { listed, expected: expected.length } };
      }
      const now = options.stopwatch.monotonic();
      const isAnyMissing = gone.some(([, { missed }]) => missed === 0);
      const withdrawn = gone.filter(([, entry]) => missing(entry, look, now)).map(([id]) => id);
      for (const id of withdrawn) entries.delete(id);
      return { withdrawn, isAnyMissing, short: null };
    },
    has: (id) => entries.has(id),
    restore(kept) {
      for (const { id, time } of kept) {
        if (!entries.has(id))
          entries.set(id, { time, content: '', settled: false, missed: 0, missedSince: 0 });
      }
    },
    drop(ids) {
      for (const id of ids) entries.delete(id);
    },
    forget(before) {
      for (const [id, { time }] of entries) if (time < before) entries.delete(id);
    },
    size: () => entries.size,
  };
}

import type { AnnouncementSink, Release } from '../../src/sources/announcements/source.ts';

/** Keeps what a source tells, and how often. */
export type RecordingSink = AnnouncementSink & {
  kept: Map<string, Release>;
  /** How many times each id came as a new one. */
  arrivals: Map<string, number>;
  /** When each id came first, by the tester's clock. */
  toldAt: Map<string, number>;
  /** Ids that came a second time with something else. */
  changes: string[];
  withdrawn: string[];
  /** What comes next can't be kept, as on a full disk. */
  failNext(): void;
};

/** A sink that tests look into; `before` is what was kept by an earlier run. */
export function createRecordingSink(
  now: () => number = () => 0,
  before: readonly Release[] = [],
): RecordingSink {
  const kept = new Map(before.map((release) => [release.id, release]));
  const arrivals = new Map<string, number>();
  const toldAt = new Map<string, number>();
  const changes: string[] = [];
  const withdrawn: string[] = [];
  let fails = false;
  return {
    ...{ kept, arrivals, toldAt, changes, withdrawn },
    failNext: () => void (fails = true),
    apply(releases) {
      if (fails) {
        fails = false;
        throw new Error('database or disk is full');
      }
      const result = { added: 0, changed: 0 };
      for (const release of releases) {
        const known = kept.get(release.id);
        if (!known) {
          arrivals.set(release.id, (arrivals.get(release.id) ?? 0) + 1);
          toldAt.set(release.id, now());
          result.added += 1;
        } else if (!Bun.deepEquals(known, release)) {
          changes.push(release.id);
          result.changed += 1;
        }
        kept.set(release.id, release);
      }
      return result;
    },
    withdraw(ids) {
      withdrawn.push(...ids);
      for (const id of ids) kept.delete(id);
    },
    knows: (id) => kept.has(id),
    keptSince: (time) => [...kept.values()].filter((release) => release.time >= time),
  };
}

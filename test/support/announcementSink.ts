import type { Release } from '#market/sources/announcements.ts';

export function createRecordingSink() {
  const kept = new Map<string, Release>();
  /** The number of times each id arrived as new. */
  const arrivals = new Map<string, number>();
  /** Ids that arrived a second time with different content. */
  const changes: string[] = [];
  const withdrawn: string[] = [];
  return {
    kept,
    arrivals,
    changes,
    withdrawn,
    apply(releases: readonly Release[]) {
      const result = { added: 0, changed: 0 };
      for (const release of releases) {
        const known = kept.get(release.id);
        if (!known) {
          arrivals.set(release.id, (arrivals.get(release.id) ?? 0) + 1);
          result.added += 1;
        } else if (!Bun.deepEquals(known, release)) {
          changes.push(release.id);
          result.changed += 1;
        }
        kept.set(release.id, release);
      }
      return result;
    },
    withdraw(ids: readonly string[]): void {
      withdrawn.push(...ids);
      for (const id of ids) kept.delete(id);
    },
    knows: (id: string) => kept.has(id),
    keptSince: (time: number) => [...kept.values()].filter((release) => release.time >= time),
  };
}

import type { AnnouncementSink, Release } from '#sources/announcements/source.ts';

/** More than some days have. */
const MAX_RELEASES = 5000;

/** Announcements in memory, for a recorder without a database. The oldest give way. */
export function createNewsBook() {
  const byId = new Map<string, Release>();

  function put(release: Release): 'added' | 'changed' | null {
    const before = byId.get(release.id);
    if (before && Bun.deepEquals(before, release)) return null;
    byId.set(release.id, release);
    const [oldest] = byId.keys();
    if (byId.size > MAX_RELEASES && oldest !== undefined) byId.delete(oldest);
    return before ? 'changed' : 'added';
  }

  const sink: AnnouncementSink = {
    apply(releases) {
      const done = releases.map(put);
      return {
        added: done.filter((one) => one === 'added').length,
        changed: done.filter((one) => one === 'changed').length,
      };
    },
    withdraw(ids) {
      for (const id of ids) byId.delete(id);
    },
    knows: (id) => byId.has(id),
    keptSince: (time) => [...byId.values()].filter((release) => release.time >= time),
  };
  return { sink, all: () => byId.values() };
}

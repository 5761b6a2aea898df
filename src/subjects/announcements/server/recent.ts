import type { KeptAnnouncement } from '../rules/keptAnnouncement.ts';

/**
 * The announcements since the previous trading day, by stock: what the Market shows is made of them, also for stocks that
 * are not listed yet.
 */
export function createRecent() {
  const byCode = new Map<string, Map<string, KeptAnnouncement>>();
  const codeOf = new Map<string, string>();
  let first = '';

  function drop(id: string): void {
    const code = codeOf.get(id);
    if (code === undefined) return;
    const ofCode = byCode.get(code);
    ofCode?.delete(id);
    if (ofCode?.size === 0) byCode.delete(code);
    codeOf.delete(id);
  }

  function put(announcement: KeptAnnouncement): void {
    const { id, code, date } = announcement;
    drop(id);
    if (date < first) return;
    const ofCode = byCode.get(code) ?? new Map<string, KeptAnnouncement>();
    ofCode.set(id, announcement);
    byCode.set(code, ofCode);
    codeOf.set(id, code);
  }

  return {
    /** Takes the place of all. @param date the first that is held, YYYY-MM-DD */
    load(announcements: readonly KeptAnnouncement[], date: string): void {
      byCode.clear();
      codeOf.clear();
      first = date;
      for (const announcement of announcements) put(announcement);
    },
    /** Takes a new announcement or a correction; one of before the first date is dropped. */
    put,
    drop,
    has: (id: string): boolean => codeOf.has(id),
    of: (code: string): readonly KeptAnnouncement[] => [...(byCode.get(code)?.values() ?? [])],
    *all(): Iterable<KeptAnnouncement> {
      for (const ofCode of byCode.values()) yield* ofCode.values();
    },
    codes: (): Iterable<string> => byCode.keys(),
    size: (): number => codeOf.size,
  };
}

export type Recent = ReturnType<typeof createRecent>;

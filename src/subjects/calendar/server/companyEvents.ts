import type { App } from '#platform/app.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { HOUR_MS } from '#lib/units.ts';
import { exDividendDate } from '#subjects/announcements/rules/announcementKind.ts';
import type { KeptAnnouncement } from '#subjects/announcements/rules/stockNews.ts';
import { type CompanyEvent, exDividendEvents, releasedEvent, type Stated } from '../rules/companyEvents.ts';

/** Searches that find every headline with an ex-dividend date; each has the newest 50. */
const EX_SEARCHES = ['ex div', 'ex distribution', 'ex date'];

/** Returns the halts and raisings since the previous trading day, and the ex-dividend dates since yesterday. */
export function createCompanyEvents(app: App): () => CompanyEvent[] {
  // Requests come once a minute from each open calendar, and announcements rarely change.
  const known = new WeakMap<KeptAnnouncement, ReturnType<typeof releasedEvent>>();
  const releasedIn = (announcement: KeptAnnouncement) => {
    const event = known.get(announcement);
    if (event !== undefined) return event;
    const found = releasedEvent(announcement);
    known.set(announcement, found);
    return found;
  };

  // A search writes waiting announcements to disk, so it is not repeated for each request.
  let stored: { date: string; at: number; found: Stated[] } | null = null;
  function storedExDividends(): Stated[] {
    const { announcements, clock, market } = app;
    const at = clock.monotonic();
    const date = market.date();
    if (stored === null || stored.date !== date || at - stored.at > HOUR_MS) {
      const found = EX_SEARCHES.flatMap((q) => announcements.search({ q }));
      stored = { date, at, found: found.map((one) => ({ ...one, time: Date.parse(one.time) })) };
    }
    return stored.found;
  }

  function exDividends(shown: readonly KeptAnnouncement[]) {
    const found = [
      ...shown.filter(({ headline }) => exDividendDate(headline) !== null),
      ...storedExDividends(),
    ];
    return exDividendEvents(
      found.sort((a, b) => b.time - a.time),
      addDays(app.market.date(), -1),
    );
  }

  return () => {
    const { announcements, market } = app;
    if (announcements.source === null) return [];
    announcements.placement.days();
    const shown = [...announcements.recent()].filter((one) => announcements.isShown(one));
    const released = shown.flatMap((one) => releasedIn(one) ?? []);
    return [...exDividends(shown), ...released].map((event) => ({
      ...event,
      name: market.get(event.code)?.name ?? null,
    }));
  };
}

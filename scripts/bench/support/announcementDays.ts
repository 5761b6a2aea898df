import { addDays, fromSydney } from '#market/rules/sydneyTime.ts';
import { createRandom } from '#lib/random.ts';
import type { AnnouncementSink, AnnouncementSource, Release } from '#sources/announcements/source.ts';
import { releaseSecond } from '#sources/quotes/simulator/draws.ts';
import { COMPANY, SENSITIVE, SENSITIVE_RESOURCES } from '#sources/quotes/simulator/stockDay.ts';

/** Of the recorded half year: a usual trading day, and the busiest one. */
export const USUAL_DAY = 436;
export const BUSIEST_DAY = 1116;
/** 90 of the 436 of a usual day are price sensitive. */
const SENSITIVE_SHARE = 0.2;

const SENSITIVE_TITLES = [...SENSITIVE, ...SENSITIVE_RESOURCES];
const DOCUMENTS = 'https://cdn-api.markitdigital.com/apiman-gateway/ASX/asx-research/1.0/file';

/**
 * The announcements of a day, in the order of time: spread over it as the recorded ones are, 47 % between 08:00 and 10:00.
 * @param date YYYY-MM-DD @param codes stocks that announce, in any order
 */
export function announcementDay(date: string, count: number, codes: readonly string[], seed = 1): Release[] {
  const random = createRandom(seed);
  const midnight = fromSydney(date, 0, 0);
  const releases = Array.from({ length: count }, (_, index): Release => {
    const isPriceSensitive = random() < SENSITIVE_SHARE;
    const titles = isPriceSensitive ? SENSITIVE_TITLES : COMPANY;
    const { headline, type } = titles[Math.floor(random() * titles.length)] ?? COMPANY[0];
    const id = `2924-${date.replaceAll('-', '')}${String(index).padStart(4, '0')}-6A1308887`;
    const url = `${DOCUMENTS}/${id}`;
    return {
      id,
      headline,
      isPriceSensitive,
      url,
      document: url,
      announcementTypes: [type],
      code: codes[Math.floor(random() * codes.length)] ?? 'BHP',
      time: midnight + releaseSecond(random()) * 1000,
    };
  });
  return releases.sort((a, b) => a.time - b.time);
}

/** Days in a row up to a date, the oldest first. */
export function* announcementDays(
  until: string,
  days: number,
  codes: readonly string[],
): Generator<Release[]> {
  for (let back = days - 1; back >= 0; back -= 1) {
    yield announcementDay(addDays(until, -back), USUAL_DAY, codes, back + 1);
  }
}

/** A source that the bench gives its releases through. */
export function benchAnnouncements(): AnnouncementSource & { sink(): AnnouncementSink } {
  let into: AnnouncementSink | null = null;
  return {
    name: 'bench',
    label: () => 'Bench',
    start: async (sink) => void (into = sink),
    stop: async () => void (into = null),
    health: () => ({ healthy: true, problem: null, lastSuccess: null }),
    sink() {
      if (into === null) throw new Error('The announcements were not started.');
      return into;
    },
  };
}

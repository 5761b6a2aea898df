/** A stock that is missing from so many answers in a row is delisted. */
const MISSED_ANSWERS = 3;
/** A list that shrank by more than a tenth is a fault of the platform rather than so many delistings in a day. */
const MIN_SHARE = 0.9;
/** So few may always go, for lists of a handful of stocks. */
const A_FEW = 5;
/** After so long the shorter list is believed; and so long a list must hold before a smaller one is measured by it. */
const BELIEVED_AFTER_MS = 60 * 60_000;

/** A list that is too short to be true: how many stocks it holds, and how many there were. */
export type ShortList = { listed: number; expected: number };

export type Listing = {
  /** Takes the codes of a complete answer. @returns those to take off the Market */
  missing(listed: ReadonlySet<string>): string[];
  /** Set while the newest answer was too short: nothing is taken off then. */
  shortList(): ShortList | null;
};

/**
 * Remembers which stocks the provider lists, to find those that it lists no more.
 * @param monotonic ms, not the time of day
 */
export function createListing(monotonic: () => number): Listing {
  const missed = new Map<string, number>();
  /** The length of list that later ones are measured by, and since when: many small steps down are short too. */
  let expected = 0;
  let expectedSince = 0;
  let shortSince: number | null = null;
  let short: ShortList | null = null;

  /** Whether the list may be believed. */
  function isWhole(length: number, now: number): boolean {
    if (length >= Math.min(expected * MIN_SHARE, expected - A_FEW)) {
      shortSince = null;
      if (length >= expected || now - expectedSince >= BELIEVED_AFTER_MS) {
        expected = length;
        expectedSince = now;
      }
      return true;
    }
    shortSince ??= now;
    if (now - shortSince < BELIEVED_AFTER_MS) return false;
    shortSince = null;
    expected = length;
    expectedSince = now;
    return true;
  }

  return {
    missing(listed) {
      const wasExpected = expected;
      const whole = isWhole(listed.size, monotonic());
      short = whole ? null : { listed: listed.size, expected: wasExpected };
      if (!whole) return [];
      for (const [code, times] of missed) if (!listed.has(code)) missed.set(code, times + 1);
      for (const code of listed) missed.set(code, 0);
      const gone = [...missed].filter(([, times]) => times >= MISSED_ANSWERS).map(([code]) => code);
      for (const code of gone) missed.delete(code);
      return gone;
    },
    shortList: () => short,
  };
}

/** A stock that is missing from so many answers in a row is delisted. */
const MISSED_ANSWERS = 3;

/**
 * Remembers which stocks the provider lists, to find those that it lists no more.
 * @returns `missing`: takes the codes of a complete answer and returns the codes to take off the Market
 */
export function createListing(): { missing(listed: ReadonlySet<string>): string[] } {
  const missed = new Map<string, number>();
  return {
    missing(listed) {
      for (const [code, times] of missed) if (!listed.has(code)) missed.set(code, times + 1);
      for (const code of listed) missed.set(code, 0);
      const gone = [...missed].filter(([, times]) => times >= MISSED_ANSWERS).map(([code]) => code);
      for (const code of gone) missed.delete(code);
      return gone;
    },
  };
}

/** A listing that this many answers in a row no longer name is delisted. */
const MISSED_ANSWERS = 3;

/**
 * Remembers what the provider lists, to find what it lists no more. One answer without a stock is no proof.
 * @returns `missing`: give it the codes of a complete answer, get the codes to take off the Market
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

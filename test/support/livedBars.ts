import type { TimeframeBar } from '../../src/market/indicators/types.ts';

/** mulberry32: a number from 0 to below 1 at each call, the same ones for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Bars of a random walk, each with the states that it went through while it was running. Five make a session; between
 * the 50th and the 70th nothing moves and nothing is traded.
 */
export function livedBars(seed: number, count: number): TimeframeBar[][] {
  const random = numbers(seed);
  let last = 300;
  return Array.from({ length: count }, (_, index) => {
    const isStill = index >= 50 && index < 70;
    const from = last;
    let high = from;
    let low = from;
    let volume = 0;
    return Array.from({ length: 1 + Math.floor(random() * 3) }, (): TimeframeBar => {
      if (!isStill) {
        last = Math.max(1, last + Math.round((random() - 0.5) * 12));
        volume += Math.floor(random() * 50_000);
      }
      high = Math.max(high, last);
      low = Math.min(low, last);
      const day = Math.floor(index / 5);
      return { day, open: from / 200, high: high / 200, low: low / 200, close: last / 200, volume };
    });
  });
}

/** Where a percent lies on a scale that leaves room for small results beside large ones: the root of its size, with its sign. */
export const rootOf = (percent: number): number => Math.sign(percent) * Math.sqrt(Math.abs(percent));

/** Percents at which a line may be drawn. */
const LINES = [1, 5, 20, 50, 100, 200, 500, 1000, 5000] as const;

export type ResultScale = {
  /** From 0 at the top to 1 at the bottom. */
  place(percent: number): number;
  /** Percents of the lines, the highest first; 0 is one of them. */
  lines: number[];
};

/** A scale that holds all results and has 0 in it. @param percents one or more */
export function resultScale(percents: readonly number[]): ResultScale {
  const top = Math.max(1, ...percents) * 1.1;
  const bottom = Math.min(-1, ...percents) * 1.1;
  const span = rootOf(top) - rootOf(bottom);
  const place = (percent: number): number => (rootOf(top) - rootOf(percent)) / span;
  const up = LINES.filter((line) => line <= top);
  const down = LINES.filter((line) => line <= -bottom);
  // Two on each side are enough to read it by.
  const lines = [...up.slice(-2).reverse(), 0, ...down.slice(-2).map((line) => -line)];
  return { place, lines };
}

import type { BarRow } from './rows.ts';

/** Rows that were made of a deep history and will be the same whenever they are asked for. */
export type RowCache = {
  /** What is kept under a key, else what `make` gives. */
  get(key: string, make: () => readonly BarRow[]): readonly BarRow[];
  /** Rows that are held. */
  size(): number;
};

/** @param maxRows at most so many are held: those that were used longest ago are forgotten */
export function createRowCache(maxRows: number): RowCache {
  // A Map iterates in insertion order; re-inserting on use keeps the oldest first.
  const byKey = new Map<string, readonly BarRow[]>();
  let held = 0;
  // An empty list takes room as well.
  const weight = (rows: readonly BarRow[]): number => rows.length + 1;

  function forgetOldest(): void {
    for (const [key, rows] of byKey) {
      if (held <= maxRows) return;
      byKey.delete(key);
      held -= weight(rows);
    }
  }

  return {
    get(key, make) {
      const known = byKey.get(key);
      const rows = known ?? make();
      byKey.delete(key);
      byKey.set(key, rows);
      if (!known) {
        held += weight(rows);
        forgetOldest();
      }
      return rows;
    },
    size: () => held,
  };
}

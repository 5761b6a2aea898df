export type Row = {
  what: string;
  measured: string;
  /** The target as text; '' if there is none. */
  target: string;
  /** Null without a target. */
  ok: boolean | null;
};

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  const value = sorted[index];
  if (value === undefined) throw new Error('There is no percentile of nothing.');
  return value;
}

import type { Comparison } from '../comparison.ts';
import { Gauge } from './gauge.ts';

const gaugeKey = ({ left, right }: Comparison): string => `${left} ${right ?? ''}`;
/** Two columns are compared by the side on which they stand of each other. */
const levelOf = ({ right, level }: Comparison): number => (right === null ? level : 0);

/** What all watched scans compare, a gauge for each different thing. Scans and stocks are known by small numbers. */
export class ScanIndex {
  private readonly gauges = new Map<string, Gauge>();
  private stocks = 0;

  add(scan: number, comparisons: readonly Comparison[]): void {
    for (const comparison of comparisons) {
      const key = gaugeKey(comparison);
      const gauge = this.gauges.get(key) ?? new Gauge(comparison.left, comparison.right, this.stocks);
      this.gauges.set(key, gauge);
      gauge.add(levelOf(comparison), scan);
    }
  }

  remove(scan: number, comparisons: readonly Comparison[]): void {
    for (const comparison of comparisons) {
      const key = gaugeKey(comparison);
      if (this.gauges.get(key)?.remove(levelOf(comparison), scan)) this.gauges.delete(key);
    }
  }

  /** Makes room for this many stocks. */
  grow(stocks: number): void {
    this.stocks = stocks;
    for (const gauge of this.gauges.values()) gauge.grow(stocks);
  }

  /** Compares a stock's values with those of the last look, and marks each scan that must be looked at again. */
  look(stock: number, values: Float64Array, mark: (scan: number) => void): void {
    for (const gauge of this.gauges.values()) gauge.look(stock, values, mark);
  }

  /** Takes note of the values for the crossings of the next look. */
  note(stock: number, values: Float64Array): void {
    for (const gauge of this.gauges.values()) gauge.note(stock, values);
  }

  /** Both sides of a comparison as they were last known; NaN before. */
  before(stock: number, comparison: Comparison): { left: number; right: number } {
    const known = this.gauges.get(gaugeKey(comparison))?.before(stock);
    if (!known) return { left: Number.NaN, right: Number.NaN };
    return comparison.right === null ? { ...known, right: comparison.level } : known;
  }

  /** Forgets the values of a stock. */
  forget(stock: number): void {
    for (const gauge of this.gauges.values()) gauge.forget(stock);
  }
}

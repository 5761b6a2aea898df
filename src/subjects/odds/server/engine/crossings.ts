import type { Program, Span } from '#subjects/alerts/rules/program.ts';

/** The sides of a scan’s crossings at the end of each stock’s last session, because a crossing can happen overnight. */
export class CrossingSides {
  readonly rows: readonly number[];
  private readonly kept = new Map<string, { sides: Float64Array; factor: number }>();

  constructor(
    private readonly program: Program,
    { first, count }: Span,
  ) {
    this.rows = Array.from({ length: count }, (_, index) => first + index).filter((row) =>
      program.isCrossing(row),
    );
  }

  /** @param factor of the stock’s splits since: prices before a split say nothing about a crossing */
  restore(code: string, factor: number): void {
    const kept = this.kept.get(code);
    const sides = kept?.factor === factor ? kept.sides : null;
    for (const [index, row] of this.rows.entries()) {
      this.program.setBefore(row, sides?.[2 * index] ?? Number.NaN, sides?.[2 * index + 1] ?? Number.NaN);
    }
  }

  keep(code: string, factor: number): void {
    const { program, rows } = this;
    const sides = Float64Array.from(
      rows.flatMap((row) => [program.leftBeforeOf(row), program.rightBeforeOf(row)]),
    );
    this.kept.set(code, { sides, factor });
  }
}

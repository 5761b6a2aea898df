/** Of the first cell of each row, %; like the lengths of names. */
const WIDTHS = [38, 52, 44, 60, 41, 56, 47, 50];

/** In the place of rows that are on their way: a line that says what is loading, and grey rows below it. */
export function SkeletonRows({ rows = 12, label = 'Loading…' }: { rows?: number; label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      <p className="muted">{label}</p>
      {Array.from({ length: rows - 1 }, (_, row) => (
        <div className="skeleton-row" key={row} aria-hidden>
          <span style={{ width: `${WIDTHS[row % WIDTHS.length]}%` }} />
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

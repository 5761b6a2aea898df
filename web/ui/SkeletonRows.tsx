/** Width of each row's first cell, percent. */
const WIDTHS = [38, 52, 44, 60, 41, 56, 47, 50];

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

import './SkeletonRows.css';

/** Of the first cell of each row, %; like the lengths of names. */
const WIDTHS = [38, 52, 44, 60, 41, 56, 47, 50];

/** Grey rows in the place of rows that are on their way; the label is for assistive technology. */
export function SkeletonRows({ rows = 12, label = 'Loading…' }: { rows?: number; label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div className="skeleton-row" key={row}>
          <span style={{ width: `${WIDTHS[row % WIDTHS.length]}%` }} />
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

/** Covers its nearest positioned parent while something loads. */
export function LoadingOverlay({ label = 'Loading…' }: { label?: string }) {
  return (
    <div className="overlay" role="status">
      <span className="spinner" aria-hidden />
      <span>{label}</span>
    </div>
  );
}

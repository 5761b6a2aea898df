/** Shows that its nearest positioned parent is loading. */
export function LoadingOverlay({ label = 'Loading…' }: { label?: string }) {
  return (
    <div className="loading-overlay row muted" role="status">
      <span className="loading-spinner" aria-hidden />
      <span>{label}</span>
    </div>
  );
}

import { EmptyState } from '../../ui/EmptyState.tsx';

/** Watchlist & Alerts, which has no content yet. */
export function WatchlistPage() {
  return (
    <div className="page">
      <h1>Watchlist &amp; Alerts</h1>
      <EmptyState detail="Your symbols, with alerts to Telegram and Discord.">
        Coming in a later version.
      </EmptyState>
    </div>
  );
}

import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

/** Watchlist & Alerts, which has no content yet. */
export function WatchlistPage() {
  return (
    <Page>
      <h1>Watchlist &amp; Alerts</h1>
      <EmptyState detail="Your symbols, with alerts to Telegram and Discord.">
        Coming in a later version.
      </EmptyState>
    </Page>
  );
}

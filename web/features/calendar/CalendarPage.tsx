import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

/** The economic calendar (FX News), which has no content yet. */
export function CalendarPage() {
  return (
    <Page>
      <h1>Economic Calendar</h1>
      <EmptyState detail="Economic events by day, with consensus and actual figures.">
        Coming in a later version.
      </EmptyState>
    </Page>
  );
}

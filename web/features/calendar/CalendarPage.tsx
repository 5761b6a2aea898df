import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

/** The screen's frame; its content comes with its own feature. */
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

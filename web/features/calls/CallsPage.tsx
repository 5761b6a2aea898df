import { EmptyState } from '../../ui/EmptyState.tsx';

/** The screen's frame; its content comes with its own feature. */
export function CallsPage() {
  return (
    <div className="page">
      <h1>Calls</h1>
      <EmptyState detail="Trade ideas with their results, and who is right how often.">
        Coming in a later version.
      </EmptyState>
    </div>
  );
}

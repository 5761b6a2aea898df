import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

/** The Admin Panel, which has no content yet. */
export function AdminPage() {
  return (
    <Page>
      <h1>Admin Panel</h1>
      <EmptyState detail="Users, upgrades, calls under review, logs and the server’s state.">
        Coming in a later version.
      </EmptyState>
    </Page>
  );
}

import { EmptyState } from '../../../ui/EmptyState.tsx';

/** What the running server holds. */
export const StateInspector = () => <EmptyState>Nothing here yet.</EmptyState>;

import { EmptyState } from '../../../ui/EmptyState.tsx';

/** All accounts, and what administrators did. */
export const AllUsers = () => <EmptyState>Nothing here yet.</EmptyState>;

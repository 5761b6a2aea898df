import { EmptyState } from '../../../ui/EmptyState.tsx';

/** Calls that wait for an administrator’s look. */
export const CallReview = () => <EmptyState>Nothing here yet.</EmptyState>;

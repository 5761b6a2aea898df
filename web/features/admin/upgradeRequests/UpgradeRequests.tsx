import { EmptyState } from '../../../ui/EmptyState.tsx';

/** Requests for a tier, which an administrator approves or declines. */
export const UpgradeRequests = () => <EmptyState>Nothing here yet.</EmptyState>;

import { EmptyState } from '../../../ui/EmptyState.tsx';

/** Calls to other servers, by day. */
export const EndpointActivity = () => <EmptyState>Nothing here yet.</EmptyState>;

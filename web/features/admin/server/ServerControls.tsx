import { EmptyState } from '../../../ui/EmptyState.tsx';

/** The running server. */
export const ServerControls = () => <EmptyState>Nothing here yet.</EmptyState>;

import { EmptyState } from '../../../ui/EmptyState.tsx';

/** Channels, and messages to them. */
export const Channels = () => <EmptyState>Nothing here yet.</EmptyState>;

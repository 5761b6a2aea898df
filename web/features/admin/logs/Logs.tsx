import { EmptyState } from '../../../ui/EmptyState.tsx';

/** The files of the logs folder. */
export const Logs = () => <EmptyState>Nothing here yet.</EmptyState>;

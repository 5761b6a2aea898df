import { EmptyState } from '../../../ui/EmptyState.tsx';

/** A question to the model. */
export const ManualQuestion = () => <EmptyState>Nothing here yet.</EmptyState>;

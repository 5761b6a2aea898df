import { EmptyState } from '../../../ui/EmptyState.tsx';

/** The catalog of indicators. */
export const CatalogStatus = () => <EmptyState>Nothing here yet.</EmptyState>;

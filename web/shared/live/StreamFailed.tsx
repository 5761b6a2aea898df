import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';

/** Stands in the place of the table when no snapshot has come and the stream is down. */
export function StreamFailed({ onRetry }: { onRetry(): void }): ReactNode {
  return (
    <div role="alert">
      <EmptyState
        action={
          <Button look="primary" onClick={onRetry}>
            Retry
          </Button>
        }
      >
        The market data stream can’t be reached. Check your connection, then try again.
      </EmptyState>
    </div>
  );
}

import type { ReactNode } from 'react';
import { STREAM_FAILED } from '#web/live/useStreamFailure.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';

/** Stands in the place of the table when no snapshot has come and the stream is down. */
export function StreamFailed({ onRetry }: { onRetry(): void }): ReactNode {
  return (
    <div role="alert">
      <EmptyState
        action={
          <Button variant="primary" onClick={onRetry}>
            Retry
          </Button>
        }
      >
        {STREAM_FAILED}
      </EmptyState>
    </div>
  );
}

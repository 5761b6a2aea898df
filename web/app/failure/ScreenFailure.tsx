import { EmptyState } from '#ui/EmptyState.tsx';
import { isLoadFailure } from './isLoadFailure.ts';
import { ReloadButton } from './ReloadButton.tsx';

/** In the place of a screen that failed to render, or whose code could not be fetched. */
export function ScreenFailure({ problem }: { problem: unknown }) {
  const isMissing = isLoadFailure(problem);
  return (
    <div role="alert">
      <EmptyState
        detail={
          isMissing
            ? 'The server may have been updated since this page was opened, or can’t be reached. Reload the page.'
            : 'Reload the page. If it happens again, tell the administrator what you were doing.'
        }
        action={<ReloadButton />}
      >
        {isMissing ? 'This screen could not be loaded.' : 'This screen stopped working.'}
      </EmptyState>
    </div>
  );
}

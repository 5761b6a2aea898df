import { type ReactNode, useEffect } from 'react';
import { lateWithRetry } from '#web/shared/lateStyles.ts';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import type { NewsRowProps } from './RowPanel.tsx';

const FETCH_AFTER_MS = 1500;

const row = lateWithRetry(() => import('./RowPanel.tsx').then((code) => code.RowPanel));

export const loadNewsRow = row.load;

/** Loads the row panel's code once the screen has its data. @param hasRows whether the screen has data */
export function useNewsRowAhead(hasRows: boolean): void {
  useEffect(() => {
    if (!hasRows) return;
    const timer = setTimeout(() => void loadNewsRow().catch(() => undefined), FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [hasRows]);
}

/** The panel of a row. It does not use `lazy`, so that the screen stays if the code does not load. */
export function NewsPanel(props: NewsRowProps): ReactNode {
  const { Code, hasFailed, retry } = row.useCode();
  if (Code !== null) return <Code {...props} />;
  if (!hasFailed) return <SkeletonRows rows={3} label="Loading the news…" />;
  return (
    <p className="pad-2-3" role="alert">
      The news could not be loaded. <Button onClick={retry}>Retry</Button>
    </p>
  );
}

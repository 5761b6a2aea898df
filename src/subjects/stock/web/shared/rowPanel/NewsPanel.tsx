import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import type { NewsRowProps } from './NewsRow.tsx';

/** After what a screen needs first. */
const FETCH_AFTER_MS = 1500;

let code: ComponentType<NewsRowProps> | null = null;

/** Fetches the code of what opens under a row. @throws Error when it does not come */
export async function loadNewsRow(): Promise<void> {
  code = (await withStyles(import('#subjects/stock/web/shared/rowPanel/RowPanel.tsx'))).RowPanel;
}

/**
 * Fetches the code of the news row ahead, once the screen that may open one has what it needs.
 * @param hasRows whether what it shows is there
 */
export function useNewsRowAhead(hasRows: boolean): void {
  useEffect(() => {
    if (code !== null || !hasRows) return;
    // A failure counts when a row is opened.
    const timer = setTimeout(() => void loadNewsRow().catch(() => undefined), FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [hasRows]);
}

/** The news row, whose code comes when it is needed. Not `lazy`: when it does not come, the screen stays. */
export function NewsPanel(props: NewsRowProps): ReactNode {
  const [Row, setRow] = useState(() => code);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (Row !== null || hasFailed) return;
    let isShown = true;
    loadNewsRow().then(
      () => isShown && setRow(() => code),
      () => isShown && setFailed(true),
    );
    return () => {
      isShown = false;
    };
  }, [Row, hasFailed]);
  if (Row !== null) return <Row {...props} />;
  if (!hasFailed) return <SkeletonRows rows={3} label="Loading the news…" />;
  return (
    <p className="pad-2-3" role="alert">
      The news could not be loaded. <Button onClick={() => setFailed(false)}>Retry</Button>
    </p>
  );
}

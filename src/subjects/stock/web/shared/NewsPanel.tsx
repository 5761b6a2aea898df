import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import type { NewsRowProps } from './RowPanel.tsx';

const FETCH_AFTER_MS = 1500;

let code: ComponentType<NewsRowProps> | null = null;

/** @throws Error if the code does not load */
export async function loadNewsRow(): Promise<void> {
  code = (await withStyles(import('./RowPanel.tsx'))).RowPanel;
}

/** Preloads the row panel once the screen has its data. @param hasRows whether it has */
export function useNewsRowAhead(hasRows: boolean): void {
  useEffect(() => {
    if (code !== null || !hasRows) return;
    const timer = setTimeout(() => void loadNewsRow().catch(() => undefined), FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [hasRows]);
}

/** Not `lazy`: if the code does not load, the screen stays. */
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

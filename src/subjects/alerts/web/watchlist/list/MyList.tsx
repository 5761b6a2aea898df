import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useState } from 'react';
import { useActions } from '../../../../../../web/shared/actions.ts';
import { meta, retryLive, streamState } from '../../../../../../web/live/market.ts';
import { useStreamFailure } from '../../../../../../web/live/useStreamFailure.ts';
import { session } from '../../../../accounts/web/shared/session/session.ts';
import { useFilterKey } from '../../../../../../web/ui/useFilterKey.ts';
import { flushAlerts, forgetAlerts } from '../alerts/alertStore.ts';
import { Notices } from '../parts/Notices.tsx';
import type { WatchRow } from '../rows.ts';
import { removeSymbol } from '../state.ts';
import { Tables } from './Tables.tsx';

const ScanAlerts = lazy(async () => ({
  default: (await import('../scanAlerts/ScanAlerts.tsx')).ScanAlerts,
}));

const RemoveDialog = lazy(async () => ({
  default: (await import('../parts/RemoveDialog.tsx')).RemoveDialog,
}));

/** @param next has the focus once the row is gone, and with it the button that was pressed */
async function remove({ item }: WatchRow, next: HTMLElement | null): Promise<void> {
  if (!(await removeSymbol(item))) return;
  forgetAlerts(item.symbol);
  next?.focus();
}

/** What waits to be saved is saved as another tab is shown; as the session ends it is kept for the next one. */
function flushLeft(): () => void {
  return () => {
    if (session.peek().isAuthenticated) flushAlerts();
  };
}

type MyListProps = {
  /** In which symbols are added. */
  box: RefObject<HTMLInputElement | null>;
};

/** The symbols that the user watches, in the table that fits each one's status, with the editors of their alerts. */
export function MyList({ box }: MyListProps): ReactNode {
  const { hasFailed, retry } = useStreamFailure(meta.value === null, streamState.value, retryLive);
  useFilterKey(box);
  const [asked, setAsked] = useState<WatchRow | null>(null);
  const onRemove = useCallback(
    (row: WatchRow) => {
      if (row.alerts > 0) setAsked(row);
      else void remove(row, box.current);
    },
    [box],
  );
  useActions([
    {
      label: 'Add a symbol',
      words: 'watch watchlist',
      run: () => undefined,
      focus: () => box.current,
    },
  ]);
  useEffect(flushLeft, []);
  return (
    <>
      <Notices retryStream={hasFailed ? retry : null} />
      <Tables onRemove={onRemove} hasStream={!hasFailed} />
      <Suspense fallback={null}>
        <ScanAlerts />
      </Suspense>
      {asked !== null && (
        <Suspense fallback={null}>
          <RemoveDialog
            symbol={asked.item.symbol}
            alerts={asked.alerts}
            onCancel={() => setAsked(null)}
            onConfirm={() => {
              setAsked(null);
              void remove(asked, box.current);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

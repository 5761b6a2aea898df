import { useEffect, useRef } from 'react';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { useWatch } from '#web/live/useWatch.ts';
import type { MyCall } from '../api.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { loadMyCalls, myCalls, reloadAll } from '../state.ts';
import { useCallActions, type CallActions } from './EndActions.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';
import { MyCallRow } from './MyCallRow.tsx';
import './MyCallsDialog.css';
import { TakeDrawnButton } from '#web/shared/take/TakeButton.tsx';

type MyCallsTableProps = { calls: readonly MyCall[]; isLoading: boolean; actions: CallActions };

/** The user's own calls; on a phone each is a block of lines. */
function MyCallsTable({ calls, isLoading, actions }: MyCallsTableProps) {
  const table = useRef<HTMLTableElement>(null);
  return (
    <>
      <TakeDrawnButton label="My Calls" table={table} />
      <StackedTable ref={table} className="my-calls" isBusy={isLoading}>
        <thead>
          <tr>
            <th scope="col">Symbol</th>
            <th scope="col">Status</th>
            <th scope="col" className="is-number">
              Entry
            </th>
            <th scope="col" className="is-number">
              Target
            </th>
            <th scope="col" className="is-number">
              Pocketed
            </th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <MyCallRow key={call.publicId} call={call} actions={actions} />
          ))}
        </tbody>
      </StackedTable>
    </>
  );
}

const NO_CALLS: readonly MyCall[] = [];
/** A call ends with the tick after it is due. */
const ENDED_AFTER_MS = 1500;

/** The symbols whose prices say how own calls stand. */
const liveSymbols = (calls: readonly MyCall[]): string[] => [
  ...new Set(calls.filter(({ status }) => status === 'open').map(({ symbol }) => symbol)),
];

/** The server says that a call ended, unless the stream that would say it is away: then they are asked for. */
function useReloadWhenEnded(calls: readonly MyCall[]): void {
  useEffect(() => {
    const due = calls.flatMap(({ ending }) => (ending ? [ending.dueAt] : []));
    if (due.length === 0) return;
    const waitMs = Math.max(0, Math.min(...due) - performance.now()) + ENDED_AFTER_MS;
    const timer = setTimeout(() => void reloadAll(true), waitMs);
    return () => clearTimeout(timer);
  }, [calls]);
}

/** The user's own calls, to close with what was pocketed, or to cancel. */
export function MyCallsDialog({ onClose }: { onClose(): void }) {
  const { data, error: loadError, isLoading } = myCalls.value;
  const actions = useCallActions();
  const content = useRef<HTMLDivElement>(null);
  useReloadWhenEnded(data ?? NO_CALLS);
  useWatch({ codes: liveSymbols(data ?? NO_CALLS) });
  return (
    <DialogSheet
      open
      title="My Calls"
      width="wide"
      closeLabel="Dismiss"
      initialFocus={content}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div ref={content} className="my-calls-content" tabIndex={-1}>
        {actions.refused !== null && (
          <Banner onDismiss={actions.dismissRefusal}>{actions.refused.message}</Banner>
        )}
        {loadError !== null && (
          <Banner action={<Button onClick={() => void loadMyCalls()}>Retry</Button>}>{loadError}</Banner>
        )}
        {data === null && isLoading && <SkeletonRows rows={4} label="Loading your calls…" />}
        {data !== null && data.length === 0 && <EmptyState>You have not submitted any calls yet.</EmptyState>}
        {data !== null && data.length > 0 && (
          <>
            <ZoneNote />
            <MyCallsTable calls={data} isLoading={isLoading} actions={actions} />
          </>
        )}
      </div>
    </DialogSheet>
  );
}

import { type RefObject, useRef, useState } from 'react';
import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import { haltText } from '#market/rules/stockState.ts';
import { formatCallPrice, formatStatus } from '#subjects/calls/rules/callFormat.ts';
import { DASH, formatMoment } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';
import { stocks } from '#web/live/market.ts';
import { useWatch } from '#web/live/useWatch.tsx';
import { ExportDrawnButton } from '#web/shared/export/ExportButton.tsx';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { isLive } from '../../rules/callRules.ts';
import { statusOf, statusText } from '../../rules/callStatus.ts';
import { pocketedText, resultText, reviewText } from '../../rules/resultText.ts';
import { board, lastOf, loadMyCalls, type MyCall, myCalls } from '../state.ts';
import { LoadedLife } from '../timeline/TimelineView.tsx';
import {
  type CallActions,
  EndActions,
  useCallActions,
  useFocusAfter,
  useReloadWhenEnded,
} from './endCall.tsx';

type MyCallRowProps = { call: MyCall; actions: CallActions };

function MyCallRow({ call, actions }: MyCallRowProps) {
  const row = useRef<HTMLTableRowElement>(null);
  const [isOpen, setOpen] = useState(false);
  useFocusAfter(row, actions.busyIds.has(call.publicId));
  return (
    <>
      <tr ref={row}>
        <th scope="row" data-heading="Symbol" tabIndex={-1}>
          <button
            type="button"
            className="touch gap-1"
            title="Price history"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <ChevronDownIcon size={14} aria-hidden /> : <ChevronRightIcon size={14} aria-hidden />}
            {call.symbol}
          </button>
        </th>
        <CallCells call={call} actions={actions} />
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={6}>
            <LoadedLife publicId={call.publicId} />
          </td>
        </tr>
      )}
    </>
  );
}

const CallCells = ({ call, actions }: MyCallRowProps) => (
  <>
    <td data-heading="Status">
      <span>{formatStatus(call.status)}</span>
      {notesOf(call).map((note) => (
        <span key={note} className="my-call-note muted small">
          {note}
        </span>
      ))}
    </td>
    <td data-heading="Entry" className="is-number" data-taken={call.entryPrice ?? undefined}>
      {formatCallPrice(call.entryPrice)}
    </td>
    <td data-heading="Target" className="is-number" data-taken={call.targetPrice ?? undefined}>
      {formatCallPrice(call.targetPrice)}
    </td>
    <td
      data-heading="Pocketed"
      className="is-number"
      data-taken={call.isInReview ? undefined : (call.pocketedValue ?? undefined)}
    >
      {pocketedText(call)}
    </td>
    <td data-heading="Actions">
      <StatusNote call={call} />
      {isLive(call.status) ? <EndActions call={call} actions={actions} /> : DASH}
    </td>
  </>
);

function StatusNote({ call }: { call: MyCall }) {
  const stock = stocks.value.get(call.symbol) ?? null;
  const status = statusOf(call, lastOf(call, board.value.data, stocks.value));
  return (
    status && (
      <span className="my-call-note muted small">{statusText(status, haltText(call.symbol, stock))}</span>
    )
  );
}

/** Why the call waits for review, or that it was rejected; null for other calls. */
function reviewNote({ adminStatus, reviewReason }: MyCall): string | null {
  if (adminStatus === 'review') {
    return reviewText({
      status: adminStatus,
      reason: reviewReason ?? 'An administrator requested the review.',
    });
  }
  return adminStatus === 'rejected' ? reviewText({ status: adminStatus, reason: reviewReason }) : null;
}

/** Short sentences on a call's recorded prices and decisions. */
function notesOf(call: MyCall): string[] {
  const notes: string[] = call.isShort ? ['Short'] : [];
  const { targetReached, stopReached, verified, trackingPaused, awaitingTrade, corrections } = call;
  if (targetReached) {
    notes.push(`Target reached ${formatMoment(targetReached.at)} at ${formatCallPrice(targetReached.price)}`);
  }
  if (stopReached) {
    notes.push(`Stop reached ${formatMoment(stopReached.at)} at ${formatCallPrice(stopReached.price)}`);
  } else if (call.status === 'open' && call.stopLevel !== null) {
    notes.push(`Stop at ${formatCallPrice(call.stopLevel)}`);
  }
  if (verified) {
    const ended = stopReached && isLive(call.status) ? ', ended by the stop' : '';
    notes.push(`Verified ${resultText(call, null)}${ended}`);
  }
  if (awaitingTrade) notes.push('Awaiting a trade');
  const review = reviewNote(call);
  if (review !== null) notes.push(review);
  if (trackingPaused !== null && !review?.includes(trackingPaused)) notes.push(trackingPaused);
  for (const { at, by, reason } of corrections) {
    notes.push(`Corrected ${formatMoment(at)} by ${by.display}: ${reason}`);
  }
  return notes;
}

type MyCallsTableProps = {
  table: RefObject<HTMLTableElement | null>;
  calls: readonly MyCall[];
  isLoading: boolean;
  actions: CallActions;
};

function MyCallsTable({ table, calls, isLoading, actions }: MyCallsTableProps) {
  return (
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
  );
}

const NO_CALLS: readonly MyCall[] = [];
const liveSymbols = (calls: readonly MyCall[]): string[] => [
  ...new Set(calls.filter(({ status }) => status === 'open').map(({ symbol }) => symbol)),
];

export function MyCallsDialog({ onClose }: { onClose(): void }) {
  const { data, error: loadError, isLoading } = myCalls.value;
  const actions = useCallActions();
  const content = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const hasCalls = data !== null && data.length > 0;
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
        <>
          {hasCalls && (
            <span className="push-start">
              <ExportDrawnButton label="My Calls" table={table} />
            </span>
          )}
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div ref={content} tabIndex={-1}>
        {actions.refused !== null && (
          <Banner onDismiss={actions.dismissRefusal}>{actions.refused.message}</Banner>
        )}
        {loadError !== null && (
          <Banner action={<Button onClick={() => void loadMyCalls()}>Retry</Button>}>{loadError}</Banner>
        )}
        {data === null && isLoading && <SkeletonRows rows={4} label="Loading your calls…" />}
        {data !== null && data.length === 0 && <EmptyState>You have not submitted any calls yet.</EmptyState>}
        {hasCalls && (
          <>
            <ZoneNote />
            <MyCallsTable table={table} calls={data} isLoading={isLoading} actions={actions} />
          </>
        )}
      </div>
    </DialogSheet>
  );
}

import { useEffect, useRef, type RefObject, useLayoutEffect, useState } from 'react';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { useWatch } from '#web/live/useWatch.tsx';
import type { MyCall } from '../api.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { loadMyCalls, myCalls, reloadAll, board, lastOf } from '../state.ts';
import { useCallActions, type CallActions, EndActions } from './EndActions.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';
import { TakeDrawnButton } from '#web/shared/take/TakeButton.tsx';
import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import { formatCallPrice, formatMoment, formatStatus } from '#subjects/calls/rules/callFormat.ts';
import { pocketedText, resultText, reviewText } from '#subjects/calls/rules/resultText.ts';
import { isLive } from '#subjects/calls/rules/callRules.ts';
import { haltText } from '#market/rules/halted.ts';
import { standingOf, standingText } from '#subjects/calls/rules/standing.ts';
import { stocks } from '#web/live/market.ts';
import { DASH } from '#texts/format.ts';
import { LoadedLife } from '../life/LifeView.tsx';

type MyCallRowProps = { call: MyCall; actions: CallActions };

/** One own call; a pending or open one can be closed or cancelled here. */
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
            title="Price path"
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
      <StandingNote call={call} />
      {isLive(call.status) ? <EndActions call={call} actions={actions} /> : DASH}
    </td>
  </>
);

/**
 * Gives the focus back after a request, during which the pressed control was disabled: to that control when the call is
 * still live, else to the head of its row.
 */
function useFocusAfter(row: RefObject<HTMLTableRowElement | null>, isBusy: boolean): void {
  const pressed = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (isBusy) {
      if (active !== null && row.current?.contains(active)) pressed.current = active;
      return;
    }
    const from = pressed.current;
    pressed.current = null;
    if (!(from instanceof HTMLElement)) return;
    // Somebody who went on meanwhile stays where he is.
    const isElsewhere = active !== from && active?.closest('.my-calls, .dialog-foot, .dialog-head');
    if (isElsewhere && active?.isConnected) return;
    if (from.isConnected) from.focus();
    else row.current?.querySelector('th')?.focus();
  }, [row, isBusy]);
}

/** How an open call stands at the live price. */
function StandingNote({ call }: { call: MyCall }) {
  const stock = stocks.value.get(call.symbol) ?? null;
  const standing = standingOf(call, lastOf(call, board.value.data, stocks.value));
  return (
    standing && (
      <span className="my-call-note muted small">{standingText(standing, haltText(call.symbol, stock))}</span>
    )
  );
}

/** Why it waits for a decision, and what that means, or that it was rejected; null for any other call. */
function reviewNote({ adminStatus, reviewReason }: MyCall): string | null {
  if (adminStatus === 'review') {
    return reviewText({ status: adminStatus, reason: reviewReason ?? 'An administrator asked for it.' });
  }
  return adminStatus === 'rejected' ? reviewText({ status: adminStatus, reason: reviewReason }) : null;
}

/** What the recorded prices and an administrator say of the call, in short sentences. */
function notesOf(call: MyCall): string[] {
  const notes: string[] = [];
  const { targetReached, stopReached, verified, trackingPaused, awaitingTrade, corrections } = call;
  if (targetReached) {
    notes.push(`Target reached ${formatMoment(targetReached.at)} at ${formatCallPrice(targetReached.price)}`);
  }
  if (stopReached) {
    notes.push(`Stop reached ${formatMoment(stopReached.at)} at ${formatCallPrice(stopReached.price)}`);
  } else if (call.status === 'open' && call.stopLevel !== null) {
    notes.push(`Stop stands at ${formatCallPrice(call.stopLevel)}`);
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
      <div ref={content} tabIndex={-1}>
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

import {
  useEffect,
  useRef,
  type RefObject,
  useLayoutEffect,
  useState,
  type FormEvent,
  type ReactNode,
} from 'react';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { useWatch } from '#web/live/useWatch.tsx';
import {
  type MyCall,
  cancelCall,
  closeCall,
  keepCall,
  loadMyCalls,
  myCalls,
  reloadAll,
  board,
  lastOf,
} from '../state.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';
import { ExportDrawnButton } from '#web/shared/export/ExportButton.tsx';
import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import { formatCallPrice, formatStatus } from '#subjects/calls/rules/callFormat.ts';
import { formatMoment, DASH } from '#texts/format.ts';
import { pocketedText, resultText, reviewText, endText } from '../../rules/resultText.ts';
import { isLive } from '../../rules/callRules.ts';
import { haltText } from '#market/rules/stockState.ts';
import { statusOf, statusText } from '../../rules/callStatus.ts';
import { stocks } from '#web/live/market.ts';
import { LoadedLife } from '../timeline/TimelineView.tsx';
import { checkPocketed, pocketedClaim } from '../../rules/pocketed.ts';
import type { EndKind } from '../../rules/types.ts';
import { NumberField } from '#ui/NumberField.tsx';
import { signal } from '@preact/signals-react';
import { MESSAGES } from '#texts/messages.ts';
import type { Refusal } from '#lib/result.ts';
import { refusalOf } from '#web/api/client.ts';
import { showBriefly } from '#web/shared/saved.ts';

type RefusedEnd = Refusal & { publicId: MyCall['publicId'] };

type Named = Pick<MyCall, 'publicId' | 'symbol'>;

/** Calls with a pending request. */
const endingIds = signal<ReadonlySet<MyCall['publicId']>>(new Set());
const refusedEnd = signal<RefusedEnd | null>(null);
const refuseEnd = (refused: RefusedEnd | null): void => {
  refusedEnd.value = refused;
};

/** Sends a request and shows its result. A failure is also announced, because the dialog may be closed. */
async function request(
  { publicId, symbol }: Named,
  ask: () => Promise<Refusal | null>,
  { failed, notDone }: { failed: string; notDone: string },
): Promise<void> {
  endingIds.value = new Set(endingIds.peek()).add(publicId);
  refusedEnd.value = null;
  try {
    const conflict = await ask();
    await reloadAll(true);
    refusedEnd.value = conflict && { ...conflict, publicId };
  } catch (cause) {
    refusedEnd.value = { ...refusalOf(cause, failed), publicId };
    showBriefly(`${symbol} was not ${notDone}: ${refusedEnd.peek()?.message ?? failed}`);
  } finally {
    endingIds.value = new Set([...endingIds.peek()].filter((one) => one !== publicId));
  }
}

/**
 * Ends a call in ten seconds. The server holds the request, so a reloaded page shows the remaining time. The price at
 * the end counts, so that the user cannot choose between two prices.
 * @param end `pocketed` is AUD
 */
function endSoon(call: Named, end: { kind: 'close'; pocketed: number } | { kind: 'cancel' }): void {
  const { publicId } = call;
  const ask = () => (end.kind === 'close' ? closeCall(publicId, end.pocketed) : cancelCall(publicId));
  void request(call, ask, {
    failed: end.kind === 'close' ? MESSAGES.calls.close : MESSAGES.calls.cancel,
    notDone: end.kind === 'close' ? 'closed' : 'cancelled',
  });
}

const NOT_KEPT: Readonly<Record<EndKind, string>> = {
  close: 'The close could not be undone.',
  cancel: 'The cancellation could not be undone.',
};

function takeBack(call: Named, kind: EndKind): void {
  const failed = NOT_KEPT[kind];
  void request(call, () => keepCall(call.publicId, failed), { failed, notDone: 'kept' });
}

function useCallActions() {
  return {
    refused: refusedEnd.value,
    dismissRefusal: () => refuseEnd(null),
    busyIds: endingIds.value,
    /** @returns whether the call can be closed with this value */
    mayClose({ publicId }: MyCall, pocketed: number | null): boolean {
      const checked = checkPocketed(pocketed);
      refuseEnd(checked.ok ? null : { ...checked.error, publicId });
      return checked.ok;
    },
    /** @param pocketed AUD */
    close: (call: MyCall, pocketed: number): void => endSoon(call, { kind: 'close', pocketed }),
    cancel: (call: MyCall): void => endSoon(call, { kind: 'cancel' }),
    takeBack: (call: MyCall, kind: EndKind): void => takeBack(call, kind),
  };
}

type CallActions = ReturnType<typeof useCallActions>;

type EndActionsProps = { call: MyCall; actions: CallActions };

const POCKETED_LIMITS = { step: 1 };

/** Full names, because next to a form 'Cancel' alone would mean that nothing happens. */
const END_NAMES: Readonly<Record<EndKind, string>> = { close: 'Close call', cancel: 'Cancel call' };

/** Closing or cancelling asks for confirmation, shows the expected price, and can be undone for ten seconds. */
function EndActions({ call, actions }: EndActionsProps): ReactNode {
  const [pocketed, setPocketed] = useState<number | null>(null);
  const [asked, ask] = useState<EndKind | null>(null);
  const [isChanging, setChanging] = useState(false);
  const { ending } = call;
  if (ending) {
    const undo = () => actions.takeBack(call, ending.kind);
    return <Countdown {...ending} symbol={call.symbol} onTakeBack={undo} />;
  }
  if (asked !== null && !actions.busyIds.has(call.publicId)) {
    const goBack = (isToChange: boolean) => {
      setChanging(isToChange);
      ask(null);
    };
    const confirm = () => {
      goBack(false);
      if (asked === 'cancel') actions.cancel(call);
      else if (pocketed !== null) actions.close(call, pocketed);
    };
    const claimed = asked === 'close' ? pocketed : null;
    return <Question call={call} kind={asked} pocketed={claimed} onYes={confirm} onNo={goBack} />;
  }
  return (
    <EndForm
      call={call}
      actions={actions}
      pocketed={pocketed}
      isChanging={isChanging}
      onPocketed={setPocketed}
      onAsk={ask}
    />
  );
}

type EndFormProps = EndActionsProps & {
  pocketed: number | null;
  /** True if the user returned from the confirmation to change the value. */
  isChanging: boolean;
  onPocketed(value: number | null): void;
  onAsk(kind: EndKind): void;
};

function EndForm({ call, actions, pocketed, isChanging, onPocketed, onAsk }: EndFormProps): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (!isChanging) return;
    box.current?.focus();
    box.current?.select();
  }, [isChanging]);
  const isBusy = actions.busyIds.has(call.publicId);
  const isWrong = actions.refused?.publicId === call.publicId && actions.refused.field === 'pocketedValue';
  const close = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && actions.mayClose(call, pocketed)) onAsk('close');
  };
  const edit = (value: number | null) => {
    onPocketed(value);
    if (isWrong) actions.dismissRefusal();
  };
  return (
    <form className="my-call-actions cluster phone-fill" noValidate onSubmit={close}>
      <NumberField
        ref={box}
        label={`Pocketed $ for ${call.symbol}`}
        hideLabel
        placeholder="Pocketed $"
        value={pocketed}
        limits={POCKETED_LIMITS}
        disabled={isBusy}
        isWrong={isWrong}
        onNumber={edit}
      />
      <Button type="submit" title={END_NAMES.close} disabled={isBusy}>
        Close
      </Button>
      <Button title={END_NAMES.cancel} disabled={isBusy} onClick={() => onAsk('cancel')}>
        Cancel
      </Button>
    </form>
  );
}

/** Focuses a button. If it disappears while it has the focus, the row's heading gets it. */
function useFocusWhileShown(ref: RefObject<HTMLButtonElement | null>): void {
  useLayoutEffect(() => {
    const button = ref.current;
    button?.focus();
    return () => {
      const place = button?.parentElement?.closest('.end-question');
      if (place?.contains(document.activeElement)) place.closest('tr')?.querySelector('th')?.focus();
    };
  }, [ref]);
}

type QuestionProps = {
  call: MyCall;
  kind: EndKind;
  /** Claimed amount, AUD; null for a cancellation. */
  pocketed: number | null;
  onYes(): void;
  /** @param isToChange the user wants to change the value */
  onNo(isToChange: boolean): void;
};

/** Asks before a call ends, because that is public. If the value is implausible, the first button returns to it. */
function Question({ call, kind, pocketed, onYes, onNo }: QuestionProps): ReactNode {
  const first = useRef<HTMLButtonElement>(null);
  useFocusWhileShown(first);
  const last = lastOf(call, board.value.data, stocks.value);
  const claim = pocketed === null ? null : pocketedClaim(call, pocketed, last);
  const name = END_NAMES[kind];
  const question = `${name} on ${call.symbol}?`;
  const isDoubted = claim !== null && claim.doubt !== null;
  return (
    <div className="end-question row" role="group" aria-label={question}>
      <p>
        <b>{question}</b> {claim?.text} {endText(call, kind, last, claim?.hasPrice)}
      </p>
      {isDoubted && <Banner variant="warn">{claim.doubt}</Banner>}
      <span className="wrap">
        {isDoubted ? (
          <>
            <Button ref={first} variant="primary" onClick={() => onNo(true)}>
              Change the figure
            </Button>
            <Button onClick={onYes}>{name} anyway</Button>
          </>
        ) : (
          <>
            <Button ref={first} variant="primary" onClick={onYes}>
              {name}
            </Button>
            <Button onClick={() => onNo(false)}>Keep it</Button>
          </>
        )}
      </span>
    </div>
  );
}

const secondsTo = (dueAt: number): number => Math.max(0, Math.ceil((dueAt - performance.now()) / 1000));

type CountdownProps = { kind: EndKind; dueAt: number; symbol: string; onTakeBack(): void };

/** Shows how long the end can be undone. The server ends the call even if the page closes. */
function Countdown({ kind, dueAt, symbol, onTakeBack }: CountdownProps): ReactNode {
  const [seconds, setSeconds] = useState(() => secondsTo(dueAt));
  const undo = useRef<HTMLButtonElement>(null);
  useFocusWhileShown(undo);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsTo(dueAt)), 250);
    return () => clearInterval(timer);
  }, [dueAt]);
  const doing = kind === 'close' ? 'Closes' : 'Cancels';
  return (
    <div className="end-question row">
      <p>
        {doing} in {seconds} s at the price at that moment, even if you leave the page.
      </p>
      <Button ref={undo} aria-label={`Undo: ${symbol}`} onClick={onTakeBack}>
        Undo
      </Button>
    </div>
  );
}

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

/**
 * Restores the focus after a request that disabled the pressed control: to the control if it still exists, otherwise to
 * the row's heading.
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
    // Do not move the focus if the user has moved on.
    const isElsewhere = active !== from && active?.closest('.my-calls, .dialog-foot, .dialog-head');
    if (isElsewhere && active?.isConnected) return;
    if (from.isConnected) from.focus();
    else row.current?.querySelector('th')?.focus();
  }, [row, isBusy]);
}

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
  const notes: string[] = [];
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

type MyCallsTableProps = { calls: readonly MyCall[]; isLoading: boolean; actions: CallActions };

function MyCallsTable({ calls, isLoading, actions }: MyCallsTableProps) {
  const table = useRef<HTMLTableElement>(null);
  return (
    <>
      <ExportDrawnButton label="My Calls" table={table} />
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
/** A call ends with the tick after its due time, so the reload waits this long, ms. */
const ENDED_AFTER_MS = 1500;

const liveSymbols = (calls: readonly MyCall[]): string[] => [
  ...new Set(calls.filter(({ status }) => status === 'open').map(({ symbol }) => symbol)),
];

/** Reloads calls that should have ended. Normally the stream announces the end; this covers a stream that is down. */
function useReloadWhenEnded(calls: readonly MyCall[]): void {
  useEffect(() => {
    const due = calls.flatMap(({ ending }) => (ending ? [ending.dueAt] : []));
    if (due.length === 0) return;
    const waitMs = Math.max(0, Math.min(...due) - performance.now()) + ENDED_AFTER_MS;
    const timer = setTimeout(() => void reloadAll(true), waitMs);
    return () => clearTimeout(timer);
  }, [calls]);
}

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

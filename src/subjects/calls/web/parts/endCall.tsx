import { signal } from '@preact/signals-react';
import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Refusal } from '#lib/result.ts';
import { MESSAGES } from '#texts/messages.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { refusalOf } from '#web/api/client.ts';
import { stocks } from '#web/live/market.ts';
import { showBriefly } from '#web/shared/saved.ts';
import { isLive } from '../../rules/callRules.ts';
import { checkPocketed, type PocketedClaim, pocketedClaim } from '../../rules/pocketed.ts';
import { endText } from '../../rules/resultText.ts';
import type { EndKind } from '../../rules/types.ts';
import {
  askToClose,
  board,
  cancelCall,
  closeCall,
  closing,
  keepCall,
  lastOf,
  loadMyCalls,
  type MyCall,
  myCalls,
  reloadAll,
} from '../state.ts';

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
    await reloadAll();
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

export function useCallActions() {
  useEffect(() => () => refuseEnd(null), []);
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

export type CallActions = ReturnType<typeof useCallActions>;

type EndActionsProps = { call: MyCall; actions: CallActions };

const POCKETED_LIMITS = { step: 1 };

/** Full names, because next to a form 'Cancel' alone would mean that nothing happens. */
const END_NAMES: Readonly<Record<EndKind, string>> = { close: 'Close call', cancel: 'Cancel call' };

/** Ends a call, which can be undone for ten seconds. A cancellation or an implausible value needs a confirmation. */
export function EndActions({ call, actions }: EndActionsProps): ReactNode {
  const [pocketed, setPocketed] = useState<number | null>(null);
  const [asked, ask] = useState<EndKind | null>(null);
  const [isChanging, setChanging] = useState(false);
  const { ending } = call;
  const last = lastOf(call, board.value.data, stocks.value);
  const claim = pocketed === null ? null : pocketedClaim(call, pocketed, last);
  const close = (): void => {
    if (pocketed !== null) actions.close(call, pocketed);
  };
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
      else close();
    };
    const doubted = asked === 'close' ? claim : null;
    return <Question call={call} kind={asked} last={last} claim={doubted} onYes={confirm} onNo={goBack} />;
  }
  return (
    <EndForm
      call={call}
      actions={actions}
      pocketed={pocketed}
      isChanging={isChanging}
      onPocketed={setPocketed}
      onClose={() => {
        if (claim?.doubt) ask('close');
        else close();
      }}
      onCancel={() => ask('cancel')}
    />
  );
}

type EndFormProps = EndActionsProps & {
  pocketed: number | null;
  /** True if the user returned from the confirmation to change the value. */
  isChanging: boolean;
  onPocketed(value: number | null): void;
  onClose(): void;
  onCancel(): void;
};

function EndForm(props: EndFormProps): ReactNode {
  const { call, actions, pocketed, isChanging, onPocketed } = props;
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
    if (!isBusy && actions.mayClose(call, pocketed)) props.onClose();
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
      <Button title={END_NAMES.cancel} disabled={isBusy} onClick={props.onCancel}>
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
      if (place?.contains(document.activeElement)) homeOf(place)?.focus();
    };
  }, [ref]);
}

type QuestionProps = {
  call: MyCall;
  kind: EndKind;
  /** The live price, AUD. */
  last: number | null;
  /** The implausible value of a close; null for a cancellation. */
  claim: PocketedClaim | null;
  onYes(): void;
  /** @param isToChange the user wants to change the value */
  onNo(isToChange: boolean): void;
};

/** Asks before a call ends. If the value is implausible, the first button returns to it. */
function Question({ call, kind, last, claim, onYes, onNo }: QuestionProps): ReactNode {
  const first = useRef<HTMLButtonElement>(null);
  useFocusWhileShown(first);
  const name = END_NAMES[kind];
  const question = `${name} on ${call.symbol}?`;
  return (
    <div className="end-question row" role="group" aria-label={question}>
      <p>
        <b>{question}</b> {claim?.text} {endText(call, kind, last, claim?.hasPrice)}
      </p>
      {claim && <Banner variant="warn">{claim.doubt}</Banner>}
      <span className="wrap">
        {claim ? (
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

const NO_CALLS: readonly MyCall[] = [];

/** A call ends with the tick after its due time, so the reload waits this long, ms. */
const ENDED_AFTER_MS = 1500;

/** Reloads calls that should have ended. Normally the stream announces the end; this covers a stream that is down. */
export function useReloadWhenEnded(calls: readonly MyCall[]): void {
  useEffect(() => {
    const due = calls.flatMap(({ ending }) => (ending ? [ending.dueAt] : []));
    if (due.length === 0) return;
    const waitMs = Math.max(0, Math.min(...due) - performance.now()) + ENDED_AFTER_MS;
    const timer = setTimeout(() => void reloadAll(), waitMs);
    return () => clearTimeout(timer);
  }, [calls]);
}

/** What gets the focus if a control of a call is gone: the heading of its row, or the row above its panel. */
function homeOf(control: Element | null | undefined): HTMLElement | null {
  const line = control?.closest<HTMLElement>('tr');
  const { detail } = line?.dataset ?? {};
  if (detail === undefined) return line?.querySelector('th') ?? null;
  return document.querySelector(`tr[data-id="${CSS.escape(detail)}"]`);
}

/**
 * Restores the focus after a request that disabled the pressed control: to the control if it still exists, otherwise to
 * the row.
 */
export function useFocusAfter(place: RefObject<HTMLElement | null>, isBusy: boolean): void {
  const pressed = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (isBusy) {
      if (active !== null && place.current?.contains(active)) pressed.current = active;
      return;
    }
    const from = pressed.current;
    pressed.current = null;
    if (!(from instanceof HTMLElement)) return;
    // Do not move the focus if the user has moved on.
    if (active !== from && active?.matches('button, a, input, select, textarea, th, tr')) return;
    if (from.isConnected) from.focus();
    else homeOf(place.current)?.focus();
  }, [place, isBusy]);
}

/** The owner ends a call in its open row. */
export function OwnEnd({ publicId }: Pick<MyCall, 'publicId'>): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const { data, error } = myCalls.value;
  const actions = useCallActions();
  const call = data?.find((one) => one.publicId === publicId);
  const isAsked = call !== undefined && closing.value === publicId;
  useEffect(() => void loadMyCalls(), []);
  useReloadWhenEnded(data ?? NO_CALLS);
  useFocusAfter(place, actions.busyIds.has(publicId));
  useLayoutEffect(() => {
    if (!isAsked) return;
    place.current?.querySelector<HTMLElement>('input, button')?.focus();
    askToClose(null);
  }, [isAsked]);
  const { refused } = actions;
  return (
    <div ref={place} className="own-end stack gap-1">
      {call && isLive(call.status) && <EndActions call={call} actions={actions} />}
      {refused?.publicId === publicId && (
        <Banner onDismiss={actions.dismissRefusal}>{refused.message}</Banner>
      )}
      {data === null && error !== null && (
        <Banner action={<Button onClick={() => void loadMyCalls()}>Retry</Button>}>{error}</Banner>
      )}
    </div>
  );
}

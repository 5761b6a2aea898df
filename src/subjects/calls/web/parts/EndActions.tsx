import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { endText } from '#subjects/calls/rules/resultText.ts';
import { checkPocketed, pocketedClaim } from '#subjects/calls/rules/pocketed.ts';
import type { EndKind } from '#subjects/calls/rules/types.ts';
import { stocks } from '#web/live/market.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { type MyCall, cancelCall, closeCall, keepCall } from '../api.ts';
import { board, lastOf, reloadAll } from '../state.ts';
import { type ReadonlySignal, signal } from '@preact/signals-react';
import { MESSAGES } from '#texts/messages.ts';
import type { Refusal } from '#lib/result.ts';
import { refusalOf } from '#web/api/client.ts';
import { sayBriefly } from '#web/shared/saved.ts';

/** What was refused, and for which call. */
type RefusedEnd = Refusal & { publicId: MyCall['publicId'] };

type Named = Pick<MyCall, 'publicId' | 'symbol'>;

const sending = signal<ReadonlySet<MyCall['publicId']>>(new Set());
const refusal = signal<RefusedEnd | null>(null);

/** The calls that a request is under way for. */
const endingIds: ReadonlySignal<ReadonlySet<MyCall['publicId']>> = sending;
/** What was refused last; null while nothing was. */
const refusedEnd: ReadonlySignal<RefusedEnd | null> = refusal;
const refuseEnd = (refused: RefusedEnd | null): void => {
  refusal.value = refused;
};

/** Asks the server, and shows what became of it; after a refusal, which the dialog may not be there to show, in words. */
async function request(
  { publicId, symbol }: Named,
  ask: () => Promise<Refusal | null>,
  { failed, notDone }: { failed: string; notDone: string },
): Promise<void> {
  sending.value = new Set(sending.peek()).add(publicId);
  refusal.value = null;
  try {
    const conflict = await ask();
    await reloadAll(true);
    refusal.value = conflict && { ...conflict, publicId };
  } catch (cause) {
    refusal.value = { ...refusalOf(cause, failed), publicId };
    sayBriefly(`${symbol} was not ${notDone}: ${refusal.peek()?.message ?? failed}`);
  } finally {
    sending.value = new Set([...sending.peek()].filter((one) => one !== publicId));
  }
}

/**
 * Asks the server to end a call in ten seconds. It holds the request, so a page that is loaded again shows what is left of
 * them; the price that counts is the one of then: nobody gets to choose afterwards between two prices.
 * @param end `pocketed` in AUD
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
  close: 'The close could not be taken back.',
  cancel: 'The cancellation could not be taken back.',
};

/** Leaves a call as it is, whose end was asked for. */
function takeBack(call: Named, kind: EndKind): void {
  const failed = NOT_KEPT[kind];
  void request(call, () => keepCall(call.publicId, failed), { failed, notDone: 'kept' });
}

/** Closing and cancelling own calls, and what was refused last. */
export function useCallActions() {
  return {
    /** Null while nothing was refused. */
    refused: refusedEnd.value,
    dismissRefusal: () => refuseEnd(null),
    /** The calls that a request is under way for. */
    busyIds: endingIds.value,
    /** @returns whether a value was entered that a call can be closed with */
    mayClose({ publicId }: MyCall, pocketed: number | null): boolean {
      const checked = checkPocketed(pocketed);
      refuseEnd(checked.ok ? null : { ...checked.error, publicId });
      return checked.ok;
    },
    /** @param pocketed what the call has made, $ */
    close: (call: MyCall, pocketed: number): void => endSoon(call, { kind: 'close', pocketed }),
    cancel: (call: MyCall): void => endSoon(call, { kind: 'cancel' }),
    takeBack: (call: MyCall, kind: EndKind): void => takeBack(call, kind),
  };
}

export type CallActions = ReturnType<typeof useCallActions>;

type EndActionsProps = { call: MyCall; actions: CallActions };

const POCKETED_LIMITS = { step: 1 };

/** Beside a form, 'Cancel' alone would say that nothing is to happen. */
const END_NAMES: Readonly<Record<EndKind, string>> = { close: 'Close call', cancel: 'Cancel call' };

/** Closes or cancels an own call: asks first, with the price that it would get, and can be taken back for ten seconds. */
export function EndActions({ call, actions }: EndActionsProps): ReactNode {
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
  /** The owner went back from the question to change the value. */
  isChanging: boolean;
  onPocketed(value: number | null): void;
  onAsk(kind: EndKind): void;
};

/** Where it is said what was pocketed, and how the call is to end. */
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

/** Gives a button the focus, and hands it to the head of its row when what it stands in goes with the focus inside. */
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
  /** What the call is closed with, AUD; null where it is cancelled. */
  pocketed: number | null;
  onYes(): void;
  /** @param isToChange the value is to be changed */
  onNo(isToChange: boolean): void;
};

/**
 * Asks before a call is ended, because its end is public. If the value can hardly be right, the first button goes back to
 * it.
 */
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

/** How long the end can be taken back; the server ends the call, whatever becomes of the page. */
function Countdown({ kind, dueAt, symbol, onTakeBack }: CountdownProps): ReactNode {
  const [seconds, setSeconds] = useState(() => secondsTo(dueAt));
  const undo = useRef<HTMLButtonElement>(null);
  useFocusWhileShown(undo);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsTo(dueAt)), 250);
    return () => clearInterval(timer);
  }, [dueAt]);
  const doing = kind === 'close' ? 'Closes' : 'Is cancelled';
  return (
    <div className="end-question row">
      <p>
        {doing} in {seconds} s at the price then, also if you leave the page.
      </p>
      <Button ref={undo} aria-label={`Take back: ${symbol}`} onClick={onTakeBack}>
        Take back
      </Button>
    </div>
  );
}

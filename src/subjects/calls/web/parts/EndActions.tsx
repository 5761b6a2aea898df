import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { endText } from '#subjects/calls/rules/endText.ts';
import { pocketedClaim } from '#subjects/calls/rules/pocketedClaim.ts';
import type { EndKind } from '#subjects/calls/rules/types.ts';
import { stocks } from '#web/live/market.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import type { MyCall } from '../api.ts';
import { board, lastOf } from '../state.ts';
import './EndActions.css';
import { checkPocketed } from '#subjects/calls/rules/pocketed.ts';
import { endingIds, endSoon, refusedEnd, refuseEnd, takeBack } from '../endRequests.ts';

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
    <form className="my-call-actions" noValidate onSubmit={close}>
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
    <div className="end-question" role="group" aria-label={question}>
      <p>
        <b>{question}</b> {claim?.text} {endText(call, kind, last, claim?.hasPrice)}
      </p>
      {isDoubted && <Banner variant="warn">{claim.doubt}</Banner>}
      <span className="end-answers">
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
    <div className="end-question">
      <p>
        {doing} in {seconds} s at the price then, also if you leave the page.
      </p>
      <Button ref={undo} aria-label={`Take back: ${symbol}`} onClick={onTakeBack}>
        Take back
      </Button>
    </div>
  );
}

import {
  type FormEvent,
  type RefObject,
  useId,
  useRef,
  useState,
  Fragment,
  useEffect,
  lazy,
  type ReactNode,
  Suspense,
} from 'react';
import { useWholeMarket } from '#web/live/useWatch.tsx';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { parseNumeric } from '#lib/numericInput.ts';
import {
  type CallInput,
  checkCall,
  MAX_RATIONALE,
  rationaleLength,
} from '#subjects/calls/rules/callRules.ts';
import { FormError } from '#ui/Banner.tsx';
import { closeText, summariseCall } from '../../rules/callSummary.ts';
import {
  EMPTY_CALL_FORM,
  type FormNotes,
  notesOn,
  pickSymbol,
  type FormNote,
  inputLimits,
  setEntry,
  setStop,
  setStopType,
  setTarget,
  STOP_HELP_TEXTS,
  STOP_PLACEHOLDERS,
  STOP_TYPE_OPTIONS,
} from '../../rules/callForm.ts';
import { effect } from '@preact/signals-react';
import { livePrice } from '#market/rules/stockState.ts';
import { failed, type Refusal } from '#lib/result.ts';
import { isRecord } from '#lib/json.ts';
import { keptInput, useHeldInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import { refusalOf } from '#web/api/client.ts';
import { stocks } from '#web/live/market.ts';
import { uniqueName } from '#web/shared/uniqueName.ts';
import { postCall, keepDraft, readDraft } from '../state.ts';
import { MESSAGES } from '#texts/messages.ts';
import { formatCallPrice } from '../../rules/callFormat.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import {
  companyName,
  isLiveSymbol,
  searchLiveSymbols,
  SymbolBox,
} from '#subjects/stock/web/shared/SymbolBox.tsx';
import { describedBy, Field, NativeSelect, SwitchField } from '#ui/Field.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { RetryBoundary } from '#web/shared/RetryBoundary.tsx';
import { withStyles } from '#web/shared/lateStyles.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import type { SizedPosition } from '../../rules/positionSize.ts';
import { chooseSize, sizeChoices, Rested } from '../shared/size/sizeChoices.tsx';

type RationaleFieldProps = {
  value: string;
  isWrong: boolean;
  onText(text: string): void;
};

function countText(length: number): string {
  const left = MAX_RATIONALE - length;
  return left >= 0 ? `${length} of ${MAX_RATIONALE} characters` : `${-left} characters too many`;
}

function RationaleField({ value, isWrong, onText }: RationaleFieldProps) {
  const id = useId();
  const length = rationaleLength(value);
  const help = countText(length);
  return (
    <Field id={id} label="Rationale (optional)" help={help}>
      <textarea
        id={id}
        className="input rationale-input"
        name="rationale"
        rows={3}
        value={value}
        aria-invalid={isWrong || length > MAX_RATIONALE || undefined}
        aria-describedby={describedBy(id, { help })}
        onChange={(event) => onText(event.target.value)}
      />
    </Field>
  );
}

const loadPart = () =>
  lazy(() => withStyles(import('../shared/size/size.tsx')).then((code) => ({ default: code.SizePart })));
let SizePart = loadPart();

/** The position size section. Whether it is open is stored. */
function SizeDisclosure({ position }: { position: SizedPosition }): ReactNode {
  const { isOpen } = sizeChoices.value;
  return (
    <Disclosure label="Position size" isOpen={isOpen} onToggle={(open) => chooseSize({ isOpen: open })}>
      {isOpen && (
        <RetryBoundary
          sentence="The position size could not be loaded. The call can be submitted without it."
          onRetry={() => {
            SizePart = loadPart();
          }}
        >
          <Suspense fallback={<p className="field-help">Loading the position size…</p>}>
            <SizePart position={position} />
          </Suspense>
        </RetryBoundary>
      )}
    </Disclosure>
  );
}

type CallFieldsProps = {
  form: CallInput;
  notes: FormNotes;
  /** The form field that was refused; null for none. */
  wrong: string | null;
  symbolBox: RefObject<HTMLInputElement | null>;
  /** @param asked the form before the assists changed it */
  onForm(form: CallInput, asked?: CallInput): void;
};

/** Describes how the form changed a field; nothing if the field holds what was entered. */
const noteOn = (note: FormNote | undefined) =>
  note && <span className={note.isFilled ? undefined : 'is-changed'}>{note.text}</span>;

const STOP_TYPES = STOP_TYPE_OPTIONS.map(({ value, label }) => ({ id: value, label }));
const priceOf = (symbol: string): number | null => livePrice(stocks.peek().get(normaliseSymbol(symbol)));

/** The fields of a call, with the form assists of specification 5. */
function CallFields(props: CallFieldsProps) {
  const { form, onForm } = props;
  return (
    <>
      <SymbolField {...props} />
      <SwitchField
        label="Has your position been filled?"
        value={form.callType === 'bought'}
        onChange={(isFilled) => onForm({ ...form, callType: isFilled ? 'bought' : 'buy' })}
      />
      <div className="form-row call-prices">
        <PriceFields {...props} />
        <StopFields {...props} />
      </div>
      <p className="field-help">{STOP_HELP_TEXTS[form.stopLossType]}</p>
      <SizeDisclosure position={form} />
      <RationaleField
        value={form.rationale ?? ''}
        isWrong={props.wrong === 'rationale'}
        onText={(rationale) => onForm({ ...form, rationale })}
      />
    </>
  );
}

function SymbolField({ form, wrong, symbolBox, onForm }: CallFieldsProps) {
  return (
    <div className="form-row call-symbol">
      <SymbolBox
        label="Symbol"
        inputRef={symbolBox}
        name="symbol"
        placeholder="ASX code"
        value={form.symbol}
        search={searchLiveSymbols}
        describe={companyName}
        isKnown={isLiveSymbol}
        isWrong={wrong === 'symbol'}
        onText={(symbol) => onForm({ ...form, symbol })}
        onPick={(symbol) => onForm(pickSymbol(form, symbol, priceOf(symbol)), { ...form, symbol })}
      />
      <LivePrice symbol={form.symbol} />
    </div>
  );
}

/** Text that is not a number counts as missing: the call is refused, and the field shows why. */
const numberOr = (value: number | null): number | null => (Number.isNaN(value) ? null : value);

function LivePrice({ symbol }: { symbol: string }) {
  const stock = stocks.value.get(normaliseSymbol(symbol));
  return (
    <p className="call-live muted table-text" aria-live="off">
      {stock ? `Last ${formatCallPrice(livePrice(stock))}` : ''}
    </p>
  );
}

/**
 * The form at the time a field got the focus. The form assists start from it at every key press, so that an unfinished
 * number has no lasting effect.
 */
function useFormAtFocus(form: CallInput) {
  const atFocus = useRef(form);
  const onFocus = () => {
    atFocus.current = form;
  };
  return { atFocus, onFocus };
}

function PriceFields({ form, notes, wrong, onForm }: CallFieldsProps) {
  const { atFocus, onFocus } = useFormAtFocus(form);
  const limits = inputLimits(form);
  return (
    <>
      <NumberField
        label="Entry Price"
        name="entryPrice"
        value={form.entryPrice}
        limits={limits.entry}
        isWrong={wrong === 'entryPrice'}
        onFocus={onFocus}
        help={noteOn(notes.entryPrice)}
        onNumber={(typed) => {
          const entryPrice = numberOr(typed);
          onForm(setEntry(atFocus.current, entryPrice), { ...atFocus.current, entryPrice });
        }}
      />
      <NumberField
        label="Target Price"
        name="targetPrice"
        value={form.targetPrice}
        limits={limits.target}
        isWrong={wrong === 'targetPrice'}
        onFocus={onFocus}
        help={noteOn(notes.targetPrice)}
        onNumber={(typed) => {
          const targetPrice = numberOr(typed);
          onForm(setTarget(atFocus.current, targetPrice), { ...atFocus.current, targetPrice });
        }}
      />
    </>
  );
}

function StopFields({ form, notes, wrong, onForm }: CallFieldsProps) {
  const { atFocus, onFocus } = useFormAtFocus(form);
  return (
    <>
      <NativeSelect
        label="Stop Loss"
        value={form.stopLossType}
        options={STOP_TYPES}
        onChoose={(type) =>
          onForm(setStopType(form, type, priceOf(form.symbol)), { ...form, stopLossType: type })
        }
      />
      <NumberField
        label="Stop loss value"
        name="stopLoss"
        placeholder={STOP_PLACEHOLDERS[form.stopLossType]}
        value={form.stopLoss}
        limits={inputLimits(form).stop}
        isWrong={wrong === 'stopLoss'}
        disabled={form.stopLossType === 'NONE'}
        onFocus={onFocus}
        help={noteOn(notes.stopLoss)}
        onNumber={(typed) => {
          const stopLoss = numberOr(typed);
          onForm(setStop(atFocus.current, stopLoss), { ...atFocus.current, stopLoss });
        }}
      />
    </>
  );
}

/** Input kept from a session that ended before it was sent. */
function keptCall(): CallInput | null {
  const kept = keptInput('call');
  return isRecord(kept) ? { ...EMPTY_CALL_FORM, ...kept } : null;
}

/** Input kept across a reload, unless the dialog opens for another symbol. */
function draftOf(symbol: string | null): CallInput | null {
  const draft = readDraft();
  return symbol === null || draft?.symbol === symbol ? draft : null;
}

/** The initial form, with the assists of specification 5 if a symbol is given. */
const formOf = (symbol: string | null): CallInput =>
  symbol === null
    ? EMPTY_CALL_FORM
    : pickSymbol(EMPTY_CALL_FORM, symbol, livePrice(stocks.peek().get(symbol)));

/**
 * The form as edited. When it opens, the page may not have the stock yet; its price is filled in once known, unless the
 * user edits the form first.
 */
function useTypedForm(symbol: string | null) {
  const [start] = useState(() => keptCall() ?? draftOf(symbol) ?? formOf(symbol));
  const [form, setForm] = useState(start);
  useEffect(() => {
    if (symbol === null || start.symbol !== symbol || start.entryPrice !== EMPTY_CALL_FORM.entryPrice) return;
    return effect(() => {
      if (livePrice(stocks.value.get(symbol)) !== null)
        setForm((now) => (now === start ? formOf(symbol) : now));
    });
  }, [symbol, start]);
  return [form, setForm] as const;
}

function useKeptForm(form: CallInput): void {
  useHeldInput('call', form === EMPTY_CALL_FORM ? undefined : form);
  useEffect(() => keepDraft(form === EMPTY_CALL_FORM ? null : form), [form]);
  // Runs when the form was discarded or sent, but not at a reload.
  useEffect(() => () => keepDraft(null), []);
}

function checkForm(form: CallInput): ReturnType<typeof checkCall> {
  const checked = checkCall(form, stocks.peek());
  // A symbol cannot be invalid while the list to check it against is missing.
  const isListMissing = form.symbol !== '' && stocks.peek().size === 0;
  return checked.ok || !isListMissing ? checked : failed({ ...checked.error, field: null });
}

/** Sends the call. @param refuse called if the server refuses the call */
function useSending(refuse: (reason: Refusal) => void) {
  // Idempotency key of the next request; a change of the form renews it.
  const [key, setKey] = useState(uniqueName);
  const [isSubmitting, setSubmitting] = useState(false);
  return {
    isSubmitting,
    rename: () => setKey(uniqueName()),
    /** @returns whether the server accepted it */
    async send(call: Parameters<typeof postCall>[0]): Promise<boolean> {
      setSubmitting(true);
      try {
        await postCall(call, key);
        setKey(uniqueName());
        return true;
      } catch (cause) {
        refuse(refusalOf(cause, MESSAGES.calls.submit));
        return false;
      } finally {
        setSubmitting(false);
      }
    },
  };
}

/**
 * The form of a call. It starts with input kept from an interrupted session.
 * @param symbol prefilled; null for an empty form
 * @param onRefused called when the form or the server refuses the call
 */
export function useCallForm(symbol: string | null, onRefused: (refusal: Refusal) => void) {
  const [form, setForm] = useTypedForm(symbol);
  useKeptForm(form);
  const [notes, setNotes] = useState<FormNotes>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const refuse = (reason: Refusal): void => {
    setRefusal(reason);
    onRefused(reason);
  };
  const { isSubmitting, rename, send } = useSending(refuse);
  return {
    form,
    /** Notes on fields that the assists changed. */
    notes,
    /** @param asked the form before the assists changed it */
    setForm(next: CallInput, asked: CallInput = next): void {
      setForm(next);
      rename();
      setNotes((before) => notesOn(before, asked, next));
      setRefusal(null);
    },
    refusal,
    isSubmitting,
    /** Returns whether the server accepted it; if not, `refusal` says why. */
    async submit(): Promise<boolean> {
      const checked = checkForm(form);
      if (!checked.ok) {
        refuse(checked.error);
        return false;
      }
      setRefusal(null);
      return send(checked.value);
    },
  };
}

function CallLine({ form }: { form: CallInput }) {
  const parts = summariseCall(form);
  if (parts === null) return null;
  const warning = closeText(parts);
  return (
    <p className="call-line box table-text on-surface pad-2-3">
      {parts.map(({ text, isClose }, index) => (
        <Fragment key={text}>
          {index > 0 && ', '}
          {isClose ? <mark>{text}</mark> : text}
        </Fragment>
      ))}
      .{warning !== null && <strong> {warning}</strong>}
    </p>
  );
}

type SubmitCallDialogProps = {
  /** Prefilled symbol; null or omitted for an empty form. */
  symbol?: string | null;
  /** Gets the focus after closing if the previously focused element is gone. */
  opener?: RefObject<HTMLElement | null>;
  onClose(): void;
  onSubmitted(): void;
};

/** Stays open until the server accepts the call. Watches the whole market, because any symbol may be typed. */
export function SubmitCallDialog(props: SubmitCallDialogProps) {
  return useWholeMarket() && <CallDialog {...props} />;
}

/**
 * Applies the number that is being typed, as the assists change it.
 * @returns whether they changed it: then the user has not yet seen what Enter would submit
 */
function settleTyped(form: CallInput): boolean {
  const box = document.activeElement;
  if (!(box instanceof HTMLInputElement)) return false;
  const held = { entryPrice: form.entryPrice, targetPrice: form.targetPrice, stopLoss: form.stopLoss };
  const value = Object.entries(held).find(([name]) => name === box.name)?.[1];
  if (value === undefined || value === parseNumeric(box.value)) return false;
  box.blur();
  box.focus();
  return true;
}

function CallDialog({ symbol = null, opener, onClose, onSubmitted }: SubmitCallDialogProps) {
  // If a shortcut opened the dialog from another screen, the element that had the focus is gone.
  const [cameFrom] = useState(() => document.activeElement);
  const element = useRef<HTMLFormElement>(null);
  const symbolBox = useRef<HTMLInputElement>(null);
  const formId = useId();
  const call = useCallForm(symbol, ({ field }) =>
    element.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus(),
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (settleTyped(call.form)) return;
    if (call.isSubmitting || !(await call.submit())) return;
    onSubmitted();
    onClose();
  };

  return (
    <DialogSheet
      open
      title="Submit Call"
      initialFocus={symbolBox}
      returnsFocus={() => (cameFrom === document.body && opener?.current) || true}
      onClose={() => {
        if (!call.isSubmitting) onClose();
      }}
      footer={<Footer formId={formId} isSubmitting={call.isSubmitting} onCancel={onClose} />}
    >
      <form id={formId} ref={element} className="stack" noValidate onSubmit={(event) => void submit(event)}>
        <CallFormBody call={call} symbolBox={symbolBox} />
      </form>
    </DialogSheet>
  );
}

type FooterProps = { formId: string; isSubmitting: boolean; onCancel(): void };

const Footer = ({ formId, isSubmitting, onCancel }: FooterProps) => (
  <>
    <Button disabled={isSubmitting} onClick={onCancel}>
      Cancel
    </Button>
    <Button variant="primary" type="submit" form={formId} disabled={isSubmitting}>
      {isSubmitting ? 'Submitting…' : 'Submit'}
    </Button>
  </>
);

type CallFormBodyProps = {
  call: ReturnType<typeof useCallForm>;
  symbolBox: RefObject<HTMLInputElement | null>;
};

const CallFormBody = ({ call: { form, notes, refusal, setForm }, symbolBox }: CallFormBodyProps) => (
  <>
    <CallFields
      form={form}
      notes={notes}
      symbolBox={symbolBox}
      wrong={refusal?.field ?? null}
      onForm={setForm}
    />
    <Rested
      text={Object.values(notes)
        .map((note) => `${note.text}.`)
        .join(' ')}
    />
    <FormError>{refusal?.message}</FormError>
    <p className="flex-none muted small">General information only, not financial advice</p>
    <CallLine form={form} />
  </>
);

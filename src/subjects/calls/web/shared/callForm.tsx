import {
  type FormEvent,
  Fragment,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { effect } from '@preact/signals-react';
import { parseNumeric } from '#lib/numericInput.ts';
import { failed, type Refusal } from '#lib/result.ts';
import { isRecord } from '#lib/json.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { livePrice } from '#market/rules/stockState.ts';
import { keptInput, useHeldInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import {
  companyName,
  isLiveSymbol,
  searchLiveSymbols,
  SymbolBox,
} from '#subjects/stock/web/shared/SymbolBox.tsx';
import { MESSAGES } from '#texts/messages.ts';
import { FormError } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { describedBy, Field, NativeSelect, SwitchField, TextField } from '#ui/Field.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { refusalOf } from '#web/api/client.ts';
import { stocks } from '#web/live/market.ts';
import { appInfo } from '#web/shared/appInfo.ts';
import { uniqueName } from '#web/shared/uniqueName.ts';
import { formatCallPrice } from '../../rules/callFormat.ts';
import {
  EMPTY_CALL_FORM,
  type FormNote,
  type FormNotes,
  inputLimits,
  LEVEL_FIELDS,
  type Level,
  levelsOf,
  notesOn,
  pickSymbol,
  PRICE_FIELDS,
  type PriceField,
  SET_PRICE,
  setSide,
  setStopType,
  stopHelp,
  STOP_PLACEHOLDERS,
  STOP_TYPE_OPTIONS,
  typedLevel,
} from '../../rules/callForm.ts';
import { type CallInput, checkCall, MAX_RATIONALE, rationaleLength } from '../../rules/callRules.ts';
import { closeText, summariseCall } from '../../rules/callSummary.ts';
import '../calls.css';
import { keepDraft, postCall, readDraft } from '../state.ts';
import { SizePart } from './size/size.tsx';
import { chooseSize, Rested, sizeChoices } from './size/sizeChoices.tsx';

/** Input kept from a session that ended before it was sent, or across a reload, unless it is for another symbol. */
function keptFor(symbol: string | null): CallInput | null {
  const kept = keptInput('call');
  const inputs = [isRecord(kept) ? { ...EMPTY_CALL_FORM, ...kept } : null, readDraft()];
  return inputs.find((input) => input !== null && (symbol === null || input.symbol === symbol)) ?? null;
}

const priceOf = (symbol: string): number | null => livePrice(stocks.peek().get(normaliseSymbol(symbol)));

/** The initial values, with the assists of specification 5 if a symbol is given. */
const valuesFor = (symbol: string | null): CallInput =>
  symbol === null ? EMPTY_CALL_FORM : pickSymbol(EMPTY_CALL_FORM, symbol, priceOf(symbol));

/**
 * The values as edited. When the form opens, the page may not have the stock yet; its price is filled in once known,
 * unless the user edits the form first.
 */
function useValues(symbol: string | null) {
  const [kept] = useState(() => keptFor(symbol));
  const [values, setValues] = useState(() => kept ?? valuesFor(symbol));
  // Handlers of an earlier render, such as those of a drag in a chart, need the current values too.
  const newest = useRef(values);
  const [isEdited, setEdited] = useState(kept !== null);
  useEffect(() => {
    if (symbol === null || isEdited) return;
    return effect(() => {
      if (livePrice(stocks.value.get(symbol)) === null || newest.current.entryPrice !== null) return;
      newest.current = valuesFor(symbol);
      setValues(newest.current);
    });
  }, [symbol, isEdited]);
  useKeptInput(isEdited ? values : null);
  const change = (next: CallInput): void => {
    newest.current = next;
    setValues(next);
    setEdited(true);
  };
  return { values, newest, change };
}

/** @param values null if there is nothing to keep */
function useKeptInput(values: CallInput | null): void {
  useHeldInput('call', values ?? undefined);
  useEffect(() => keepDraft(values), [values]);
  // Runs when the form was discarded or sent, but not at a reload.
  useEffect(() => () => keepDraft(null), []);
}

function checkValues(values: CallInput): ReturnType<typeof checkCall> {
  const checked = checkCall(values, stocks.peek());
  // A symbol cannot be invalid while the list to check it against is missing.
  const isListMissing = values.symbol !== '' && stocks.peek().size === 0;
  return checked.ok || !isListMissing ? checked : failed({ ...checked.error, field: null });
}

function useSending() {
  // Idempotency key of the next request; a change of the form renews it.
  const [key, setKey] = useState(uniqueName);
  const [isSubmitting, setSubmitting] = useState(false);
  return {
    isSubmitting,
    rename: () => setKey(uniqueName()),
    /** @returns null, or why the server refused it */
    async send(call: Parameters<typeof postCall>[0]): Promise<Refusal | null> {
      setSubmitting(true);
      try {
        await postCall(call, key);
        setKey(uniqueName());
        return null;
      } catch (cause) {
        return refusalOf(cause, MESSAGES.calls.submit);
      } finally {
        setSubmitting(false);
      }
    },
  };
}

/** A price that is being typed or dragged: its field, and the values before it. */
type PriceEdit = { field: PriceField; before: CallInput; after: CallInput };

/**
 * Sets prices with the form assists. While one price is typed or dragged, the assists start from the values before, so
 * that an unfinished number has no lasting effect.
 */
function usePrices({ newest }: ReturnType<typeof useValues>, change: CallForm['change']) {
  const edit = useRef<PriceEdit | null>(null);
  const setPrice = (field: PriceField, price: number | null): void => {
    const now = newest.current;
    const current = edit.current;
    const before = current?.field === field && current.after === now ? current.before : now;
    const after = SET_PRICE[field](before, price);
    edit.current = { field, before, after };
    change(after, { ...before, [field]: price });
  };
  return {
    setPrice,
    finishPrice(): void {
      edit.current = null;
    },
    setLevel(level: Level, price: number): void {
      const value = typedLevel(newest.current, level, price);
      if (value !== null) setPrice(LEVEL_FIELDS[level], value);
    },
  };
}

export type CallForm = {
  values: CallInput;
  /** Prices of the lines in a chart, AUD. */
  levels: Readonly<Record<Level, number | null>>;
  /** Notes on fields that the assists changed. */
  notes: FormNotes;
  /** Why the form or the server refused the call. */
  refusal: Refusal | null;
  isSubmitting: boolean;
  /** @param asked the values before the assists changed them */
  change(values: CallInput, asked?: CallInput): void;
  setPrice(field: PriceField, price: number | null): void;
  /** The next edit of a price starts from the shown values. */
  finishPrice(): void;
  /** Moves a line, like typing its price. @param price AUD */
  setLevel(level: Level, price: number): void;
  /** @returns null, or why the call was refused */
  submit(): Promise<Refusal | null>;
};

/**
 * The form of a call. It starts with input kept from an interrupted session.
 * @param symbol prefilled; null for an empty form
 */
export function useCallForm(symbol: string | null): CallForm {
  const state = useValues(symbol);
  const [notes, setNotes] = useState<FormNotes>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { isSubmitting, rename, send } = useSending();
  const change = (next: CallInput, asked: CallInput = next): void => {
    state.change(next);
    rename();
    setNotes((before) => notesOn(before, asked, next));
    setRefusal(null);
  };
  return {
    values: state.values,
    levels: levelsOf(state.values),
    notes,
    refusal,
    isSubmitting,
    change,
    ...usePrices(state, change),
    async submit() {
      const checked = checkValues(state.newest.current);
      setRefusal(null);
      const refused = checked.ok ? await send(checked.value) : checked.error;
      setRefusal(refused);
      return refused;
    },
  };
}

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
        className="input"
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

/** The position size section. Whether it is open is stored. */
function SizeDisclosure({ position }: { position: CallInput }): ReactNode {
  const { isOpen } = sizeChoices.value;
  return (
    <Disclosure label="Position size" isOpen={isOpen} onToggle={(open) => chooseSize({ isOpen: open })}>
      {isOpen && <SizePart position={position} />}
    </Disclosure>
  );
}

/** Describes how the form changed a field; nothing if the field holds what was entered. */
const noteOn = (note: FormNote | undefined) =>
  note && <span className={note.isFilled ? undefined : 'is-changed'}>{note.text}</span>;

type SymbolFieldProps = Pick<CallFieldsProps, 'form' | 'symbolBox' | 'isSymbolFixed'>;

function SymbolField({ form: { values, refusal, change }, symbolBox, isSymbolFixed }: SymbolFieldProps) {
  const { symbol } = values;
  return (
    <div className="form-row call-symbol">
      {isSymbolFixed ? (
        <TextField label="Symbol" name="symbol" value={symbol} readOnly />
      ) : (
        <SymbolBox
          label="Symbol"
          inputRef={symbolBox}
          name="symbol"
          placeholder="ASX code"
          value={symbol}
          search={searchLiveSymbols}
          describe={companyName}
          isKnown={isLiveSymbol}
          isWrong={refusal?.field === 'symbol'}
          onText={(text) => change({ ...values, symbol: text })}
          onPick={(code) => change(pickSymbol(values, code, priceOf(code)), { ...values, symbol: code })}
        />
      )}
      <LivePrice symbol={symbol} />
    </div>
  );
}

function LivePrice({ symbol }: { symbol: string }) {
  const stock = stocks.value.get(normaliseSymbol(symbol));
  return (
    <p className="call-live muted table-text" aria-live="off">
      {stock ? `Last ${formatCallPrice(livePrice(stock))}` : ''}
    </p>
  );
}

/** The properties of a price's field. Text that is not a number counts as missing: the call is refused, and the field shows why. */
const priceProps = (form: CallForm, field: PriceField) => ({
  name: field,
  value: form.values[field],
  isWrong: form.refusal?.field === field,
  onFocus: form.finishPrice,
  help: noteOn(form.notes[field]),
  onNumber: (typed: number | null) => form.setPrice(field, Number.isNaN(typed) ? null : typed),
});

const STOP_TYPES = STOP_TYPE_OPTIONS.map(({ value, label }) => ({ id: value, label }));

function PriceFields({ form }: { form: CallForm }) {
  const { values, change } = form;
  const limits = inputLimits(values);
  return (
    <div className="form-row call-prices">
      <NumberField label="Entry Price" limits={limits.entry} {...priceProps(form, 'entryPrice')} />
      <NumberField label="Target Price" limits={limits.target} {...priceProps(form, 'targetPrice')} />
      <NativeSelect
        label="Stop Loss"
        value={values.stopLossType}
        options={STOP_TYPES}
        onChoose={(type) =>
          change(setStopType(values, type, priceOf(values.symbol)), { ...values, stopLossType: type })
        }
      />
      <NumberField
        label="Stop loss value"
        placeholder={STOP_PLACEHOLDERS[values.stopLossType]}
        limits={limits.stop}
        disabled={values.stopLossType === 'NONE'}
        {...priceProps(form, 'stopLoss')}
      />
    </div>
  );
}

function CallLine({ values }: { values: CallInput }) {
  const parts = summariseCall(values);
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

/**
 * Applies the number that is being typed, as the assists change it.
 * @returns whether they changed it: then the user has not yet seen what Enter would submit
 */
function settleTyped(values: CallInput): boolean {
  const box = document.activeElement;
  if (!(box instanceof HTMLInputElement)) return false;
  const field = PRICE_FIELDS.find((name) => name === box.name);
  if (field === undefined || values[field] === parseNumeric(box.value)) return false;
  box.blur();
  box.focus();
  return true;
}

type CallButtonsProps = { form: CallForm /** The form's element. */; formId: string; onCancel(): void };

export const CallButtons = ({ form: { isSubmitting }, formId, onCancel }: CallButtonsProps): ReactNode => (
  <>
    <Button disabled={isSubmitting} onClick={onCancel}>
      Cancel
    </Button>
    <Button variant="primary" type="submit" form={formId} disabled={isSubmitting}>
      {isSubmitting ? 'Submitting…' : 'Submit'}
    </Button>
  </>
);

type CallFieldsProps = {
  form: CallForm;
  id: string;
  symbolBox?: RefObject<HTMLInputElement | null>;
  /** The symbol is shown, but cannot be changed. */
  isSymbolFixed?: boolean;
  onSubmitted(): void;
};

/** The fields of a call. Enter submits them. `CallButtons` with the same `id` go below, or in a dialog's footer. */
export function CallFields({ form, id, onSubmitted, ...symbol }: CallFieldsProps): ReactNode {
  const element = useRef<HTMLFormElement>(null);
  const { values, notes, refusal, change } = form;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (form.isSubmitting || settleTyped(values)) return;
    const refused = await form.submit();
    if (refused === null) onSubmitted();
    else element.current?.querySelector<HTMLElement>(`[name="${refused.field}"]`)?.focus();
  };
  return (
    <form
      id={id}
      ref={element}
      className="call-form stack"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <SymbolField form={form} {...symbol} />
      <SwitchField
        label="Has your position been filled?"
        value={values.callType === 'bought'}
        onChange={(isFilled) => change({ ...values, callType: isFilled ? 'bought' : 'buy' })}
      />
      {(appInfo.value?.shortCalls || values.isShort) && (
        <SwitchField
          label="Is it a short position?"
          value={values.isShort}
          onChange={(isShort) => change(setSide(values, isShort))}
        />
      )}
      <PriceFields form={form} />
      <p className="field-help">{stopHelp(values)}</p>
      <SizeDisclosure position={values} />
      <RationaleField
        value={values.rationale ?? ''}
        isWrong={refusal?.field === 'rationale'}
        onText={(rationale) => change({ ...values, rationale })}
      />
      <Rested
        text={Object.values(notes)
          .map((note) => `${note.text}.`)
          .join(' ')}
      />
      <FormError>{refusal?.message}</FormError>
      <p className="flex-none muted small">General information only, not financial advice</p>
      <CallLine values={values} />
    </form>
  );
}

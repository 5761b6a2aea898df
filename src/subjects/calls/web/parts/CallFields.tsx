import { type RefObject, useRef, lazy, type ReactNode, Suspense, useId } from 'react';
import {
  type FormNote,
  type FormNotes,
  inputLimits,
  pickSymbol,
  setEntry,
  setStop,
  setStopType,
  setTarget,
  STOP_HELP_TEXTS,
  STOP_PLACEHOLDERS,
  STOP_TYPE_OPTIONS,
} from '#subjects/calls/rules/callForm.ts';
import { formatCallPrice } from '#subjects/calls/rules/callFormat.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import type { CallInput } from '#subjects/calls/rules/types.ts';
import { stocks } from '#web/live/market.ts';
import {
  companyName,
  isLiveSymbol,
  searchLiveSymbols,
  SymbolBox,
} from '#subjects/stock/web/shared/SymbolBox.tsx';
import { describedBy, Field, NativeSelect, SwitchField } from '#ui/Field.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { livePrice } from '#market/rules/livePrice.ts';
import { RetryBoundary } from '#web/shared/RetryBoundary.tsx';
import { withStyles } from '#web/shared/lateStyles.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import type { SizedPosition } from '#subjects/calls/rules/positionSize.ts';
import { chooseSize, sizeChoices } from '../shared/size/sizeChoices.ts';
import { MAX_RATIONALE, rationaleLength } from '#subjects/calls/rules/callRules.ts';

type RationaleFieldProps = {
  value: string;
  isWrong: boolean;
  onText(text: string): void;
};

function countText(length: number): string {
  const left = MAX_RATIONALE - length;
  return left >= 0 ? `${length} of ${MAX_RATIONALE} characters` : `${-left} characters too many`;
}

/** Why the call is made, in the submitter's own words; may stay empty. */
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
  lazy(() => withStyles(import('../shared/size/SizePart.tsx')).then((code) => ({ default: code.SizePart })));
let SizePart = loadPart();

/** The size of the call's position, folded until it is asked for; how it was left is kept. */
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
  /** The member of the form that was refused; null when none was. */
  wrong: string | null;
  symbolBox: RefObject<HTMLInputElement | null>;
  /** @param asked the form as it was asked for, where the assists made another of it */
  onForm(form: CallInput, asked?: CallInput): void;
};

/** What the form made of a field by itself; nothing while it holds what was entered. */
const noteOn = (note: FormNote | undefined) =>
  note && <span className={note.isFilled ? undefined : 'is-changed'}>{note.text}</span>;

const STOP_TYPES = STOP_TYPE_OPTIONS.map(({ value, label }) => ({ id: value, label }));
const priceOf = (symbol: string): number | null => livePrice(stocks.peek().get(normaliseSymbol(symbol)));

/** The fields of a call, with the form assists of specification 5. */
export function CallFields(props: CallFieldsProps) {
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

/** Text that is not a number counts as missing. The call is refused, and the box shows why. */
const numberOr = (value: number | null): number | null => (Number.isNaN(value) ? null : value);

/** The live price of the chosen symbol, which moves while the form is filled in. */
function LivePrice({ symbol }: { symbol: string }) {
  const stock = stocks.value.get(normaliseSymbol(symbol));
  return (
    <p className="call-live muted table-text" aria-live="off">
      {stock ? `Last ${formatCallPrice(livePrice(stock))}` : ''}
    </p>
  );
}

/**
 * The form as it was when a box took the focus. The assists start from there with every key, so that what a
 * half-typed number has lifted or clamped does not last.
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

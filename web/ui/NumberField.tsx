import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import {
  clampNumeric,
  isNumericText,
  mayBecomeNumeric,
  notNumeric,
  type NumericLimits,
  numericText,
  parseNumeric,
  roundDecimals,
  stepNumeric,
  stepsOfKey,
  withoutExcess,
} from '#lib/numericInput.ts';
import { describedBy, Field } from './Field.tsx';

type NumberFieldProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'step' | 'type'> & {
  label: string;
  /** The label is only for screen readers. */
  hideLabel?: boolean;
  value: number | null;
  limits: NumericLimits;
  /**
   * Called with every typed or stepped number, which is not clamped while typing. Null for an empty field, NaN for text
   * that is not a number.
   */
  onNumber(value: number | null): void;
  /** Keeps a number outside the limits on blur, because the form reports it. */
  keepsOutside?: boolean;
  help?: ReactNode;
  /** The form's error. The field itself reports text that is not a number. */
  error?: string | null;
  isWrong?: boolean;
};

function useNumberText(props: Pick<NumberFieldProps, 'value' | 'limits' | 'onNumber' | 'keepsOutside'>) {
  const { value, limits, onNumber, keepsOutside } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const isNonsense = typed !== null && !isNumericText(typed);
  const [seen, setSeen] = useState(value);
  if (!Object.is(seen, value)) {
    setSeen(value);
    // A new value from outside, such as another symbol's price, replaces invalid text.
    if (isNonsense && Number.isFinite(value)) setTyped(null);
  }
  const change = (text: string) => {
    const kept = withoutExcess(text);
    setTyped(kept);
    setLeft(false);
    onNumber(isNumericText(kept) ? parseNumeric(kept) : Number.NaN);
  };
  const leave = () => {
    setLeft(true);
    if (typed === null || isNonsense) return;
    const number = parseNumeric(typed);
    setTyped(null);
    if (number === null) onNumber(null);
    else onNumber(keepsOutside ? roundDecimals(number) : clampNumeric(number, limits));
  };
  const stepWith = (event: KeyboardEvent<HTMLInputElement>) => {
    const steps = stepsOfKey(event.key);
    if (steps === null) return;
    event.preventDefault();
    const from = typed === null ? value : parseNumeric(typed);
    setTyped(null);
    onNumber(stepNumeric(Number.isNaN(from) ? null : from, steps, limits));
  };
  const isBeingTyped = typed !== null && !isLeft && mayBecomeNumeric(typed);
  return { text: typed ?? numericText(value), isNonsense, isBeingTyped, change, leave, stepWith };
}

const spinbutton = (value: number | null, { min, max }: NumericLimits) => ({
  role: 'spinbutton',
  'aria-valuenow': value !== null && Number.isFinite(value) ? value : undefined,
  'aria-valuemin': min,
  'aria-valuemax': max,
});

/**
 * A number field. Arrows step by one, PageUp and PageDown by ten; it allows six decimals, and clamps on steps and blur.
 * Accepts "$1.25" and "1,234.50". Invalid text stays, with a message.
 */
export function NumberField(props: NumberFieldProps) {
  const { value, limits, onNumber, keepsOutside = false, ...shown } = props;
  const { label, hideLabel = false, help, error, isWrong, id, ...input } = shown;
  const ownId = useId();
  const inputId = id ?? ownId;
  const { text, isNonsense, isBeingTyped, change, leave, stepWith } = useNumberText({
    value,
    limits,
    onNumber,
    keepsOutside,
  });
  const isExplained = isNonsense && (!isBeingTyped || isWrong === true || Boolean(error));
  const notes = { help, error: isExplained ? notNumeric(text) : (error ?? null) };
  return (
    <Field id={inputId} label={label} hideLabel={hideLabel} {...notes}>
      <input
        {...input}
        id={inputId}
        className="input number-input"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        {...spinbutton(value, limits)}
        aria-invalid={isWrong || notes.error !== null || undefined}
        aria-describedby={describedBy(inputId, notes)}
        value={text}
        onChange={(event) => change(event.target.value)}
        onBlur={leave}
        onKeyDown={stepWith}
      />
    </Field>
  );
}

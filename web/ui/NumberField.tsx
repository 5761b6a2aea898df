import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import {
  clampNumeric,
  isNumericText,
  type NumericLimits,
  numericText,
  parseNumeric,
  stepNumeric,
  stepsOfKey,
} from '../../src/lib/numericInput.ts';
import { describedBy, Field } from './Field.tsx';
import './NumberField.css';

type NumberFieldProps = Omit<
  ComponentProps<'input'>,
  'value' | 'onChange' | 'min' | 'max' | 'step' | 'type'
> & {
  label: string;
  /** The label is read out but not drawn. */
  hideLabel?: boolean;
  value: number | null;
  limits: NumericLimits;
  /** With every number typed or stepped to, not yet clamped while it is typed; null for an empty box. */
  onNumber(value: number | null): void;
  help?: ReactNode;
  isWrong?: boolean;
};

/** What stands in the box, and what comes of it when it is typed in, left or stepped. */
function useNumberText({ value, limits, onNumber }: Pick<NumberFieldProps, 'value' | 'limits' | 'onNumber'>) {
  const [typed, setTyped] = useState<string | null>(null);
  const change = (text: string) => {
    if (!isNumericText(text, limits)) return;
    setTyped(text);
    onNumber(parseNumeric(text));
  };
  const leave = () => {
    if (typed === null) return;
    const number = parseNumeric(typed);
    setTyped(null);
    onNumber(number === null ? null : clampNumeric(number, limits));
  };
  const stepWith = (event: KeyboardEvent<HTMLInputElement>) => {
    const steps = stepsOfKey(event.key);
    if (steps === null) return;
    event.preventDefault();
    const from = typed === null ? value : parseNumeric(typed);
    setTyped(null);
    onNumber(stepNumeric(from, steps, limits));
  };
  return { text: typed ?? numericText(value), change, leave, stepWith };
}

/**
 * A box for one number: arrows step by one, PageUp and PageDown by ten, at most six decimals, clamped when it is
 * stepped or left. While it is typed in, it shows what was typed.
 */
export function NumberField(props: NumberFieldProps) {
  const { label, hideLabel = false, value, limits, onNumber, help, isWrong = false, id, ...input } = props;
  const ownId = useId();
  const inputId = id ?? ownId;
  const { text, change, leave, stepWith } = useNumberText({ value, limits, onNumber });
  return (
    <Field id={inputId} label={label} hideLabel={hideLabel} help={help}>
      <input
        {...input}
        id={inputId}
        className="input number-input"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        role="spinbutton"
        aria-valuenow={value ?? undefined}
        aria-valuemin={limits.min}
        aria-valuemax={limits.max}
        aria-invalid={isWrong || undefined}
        aria-describedby={describedBy(inputId, { help })}
        value={text}
        onChange={(event) => change(event.target.value)}
        onBlur={leave}
        onKeyDown={stepWith}
      />
    </Field>
  );
}

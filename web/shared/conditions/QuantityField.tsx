import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { operandText } from '../../../src/domain/conditions/operandText.ts';
import { numericText, stepNumeric, stepsOfKey } from '../../../src/lib/numericInput.ts';
import { parseQuantity } from '../../../src/lib/quantity.ts';
import { describedBy, Field } from '../../ui/Field.tsx';

type QuantityFieldProps = {
  label: string;
  /** NaN for none. */
  value: number;
  isWrong: boolean;
  /** With every text that is a number; NaN for any other. */
  onNumber(value: number): void;
};

const HELP = 'Write it like 250000, 250,000, 250k, 1.5m or 2b.';

/**
 * A box for a number to compare with: '100k', '1.5m' and '2b' are understood, and what was understood is shown below.
 * Arrows step by one, PageUp and PageDown by ten. A text that is no number stays and is explained.
 */
export function QuantityField({ label, value, isWrong, onNumber }: QuantityFieldProps): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? numericText(value);
  const understood = parseQuantity(text);
  const isNonsense = text.trim() !== '' && understood === null;
  const error = isNonsense ? `“${text.trim().slice(0, 20)}” is not a number. ${HELP}` : null;
  const words = understood === null ? text : wordsOf(understood);
  const help = words === text ? null : `= ${words}`;

  const change = (next: string) => {
    setTyped(next);
    onNumber(parseQuantity(next) ?? Number.NaN);
  };
  const stepWith = (event: KeyboardEvent) => {
    const steps = stepsOfKey(event.key);
    if (steps === null) return;
    event.preventDefault();
    setTyped(null);
    onNumber(stepNumeric(understood, steps, {}));
  };

  return (
    <Field id={id} label={label} help={help} error={error}>
      <input
        id={id}
        className="input number-input"
        type="text"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={isWrong || isNonsense || undefined}
        aria-describedby={describedBy(id, { help, error })}
        value={text}
        onChange={(event) => change(event.target.value)}
        onBlur={() => {
          if (!isNonsense) setTyped(null);
        }}
        onKeyDown={stepWith}
      />
    </Field>
  );
}

const wordsOf = (value: number): string => operandText({ type: 'number', value }, null);

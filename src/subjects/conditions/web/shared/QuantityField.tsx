import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { operandText } from '../../rules/operandText.ts';
import { numericText, stepNumeric, stepsOfKey } from '../../../../lib/numericInput.ts';
import { parseQuantity } from '../../../../lib/quantity.ts';
import { describedBy, Field } from '../../../../../web/ui/Field.tsx';

type QuantityFieldProps = {
  label: string;
  /** NaN for none. */
  value: number;
  isWrong: boolean;
  /** With every text that is a number; NaN for any other. With `onTyping` only once that is taken. */
  onNumber(value: number): void;
  /**
   * Given where a number has an effect on something live: what stands in the box is taken only when the box is left, by
   * Enter, or by a step. Called with what is typed and not taken yet, and with null once it is taken or given up.
   */
  onTyping?: ((value: number | null) => void) | undefined;
};

const HELP = 'Write it like 250000, 250,000, 250k, 1.5m or 2b.';

/**
 * A box for a number to compare with: '100k', '1.5m' and '2b' are understood, and what was understood is shown below.
 * Arrows step by one, PageUp and PageDown by ten; Escape gives up what is not taken yet. A text that is no number stays and
 * is explained.
 */
export function QuantityField({ label, value, isWrong, onNumber, onTyping }: QuantityFieldProps): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? numericText(value);
  const understood = parseQuantity(text);
  const isNonsense = text.trim() !== '' && understood === null;
  const error = isNonsense ? `“${text.trim().slice(0, 20)}” is not a number. ${HELP}` : null;
  const words = understood === null ? text : wordsOf(understood);
  const isUntaken = onTyping !== undefined && typed !== null && understood !== null && understood !== value;
  const notes = [...(words === text ? [] : [`= ${words}`]), ...(isUntaken ? ['Enter sets it'] : [])];
  const help = notes.length > 0 ? notes.join(' · ') : null;

  const change = (next: string) => {
    setTyped(next);
    const number = parseQuantity(next) ?? Number.NaN;
    if (onTyping) onTyping(number);
    else onNumber(number);
  };
  const take = (number: number) => {
    onTyping?.(null);
    onNumber(number);
  };
  const leave = ({ currentTarget }: FocusEvent) => {
    // Only the window lost the focus, perhaps to look the number up: the box has it still.
    if (document.activeElement === currentTarget) return;
    if (onTyping && typed !== null) take(understood ?? Number.NaN);
    if (!isNonsense) setTyped(null);
  };
  const press = (event: KeyboardEvent) => {
    const steps = stepsOfKey(event.key);
    if (steps !== null) {
      event.preventDefault();
      setTyped(null);
      take(stepNumeric(understood, steps, {}));
    } else if (onTyping && typed !== null && event.key === 'Enter') {
      take(understood ?? Number.NaN);
      if (!isNonsense) setTyped(null);
    } else if (onTyping && typed !== null && event.key === 'Escape') {
      // Else it would close what the box stands in.
      event.stopPropagation();
      setTyped(null);
      onTyping(null);
    }
  };
  // A box that is taken away is left too, though no event says so.
  const onGone = useRef(() => {});
  onGone.current = () => {
    if (onTyping && typed !== null) take(understood ?? Number.NaN);
  };
  useEffect(() => () => onGone.current(), []);

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
        onBlur={leave}
        onKeyDown={press}
      />
    </Field>
  );
}

const wordsOf = (value: number): string => operandText({ type: 'number', value }, null);

import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { operandText } from '#subjects/conditions/rules/operand.ts';
import { notNumeric, numericText, parseQuantity, stepNumeric, stepsOfKey } from '#lib/numericInput.ts';
import { useNewest } from '#web/shared/useLoaded.ts';
import { describedBy, Field } from '#ui/Field.tsx';

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

/** Runs what was last given when its component is taken away. */
function useOnGone(run: () => void): void {
  const newest = useNewest(run);
  useEffect(() => () => newest.current(), [newest]);
}

/** What stands in the box and what is done with it, as it is typed, left, stepped, or taken away. */
function useQuantity({
  value,
  onNumber,
  onTyping,
}: Pick<QuantityFieldProps, 'value' | 'onNumber' | 'onTyping'>) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? numericText(value);
  const understood = parseQuantity(text);
  const isNonsense = text.trim() !== '' && understood === null;
  const isPending = onTyping !== undefined && typed !== null;
  const take = (number: number) => {
    onTyping?.(null);
    onNumber(number);
  };
  const takeTyped = () => {
    if (isPending) take(understood ?? Number.NaN);
  };
  const close = () => {
    takeTyped();
    if (!isNonsense) setTyped(null);
  };
  const press = (event: KeyboardEvent) => {
    const steps = stepsOfKey(event.key);
    if (steps !== null) {
      event.preventDefault();
      setTyped(null);
      take(stepNumeric(understood, steps, {}));
    } else if (isPending && event.key === 'Enter') close();
    else if (isPending && event.key === 'Escape') {
      // Else it would close what the box stands in.
      event.stopPropagation();
      setTyped(null);
      onTyping(null);
    }
  };
  // A box that is taken away is left too, though no event says so.
  useOnGone(takeTyped);
  const isUntaken = isPending && understood !== null && understood !== value;
  return { text, understood, isNonsense, isUntaken, setTyped, close, press };
}

/**
 * A box for a number to compare with: '100k', '1.5m' and '2b' are understood, and what was understood is shown below.
 * Arrows step by one, PageUp and PageDown by ten; Escape gives up what is not taken yet. A text that is no number stays and
 * is explained.
 */
export function QuantityField({ label, isWrong, ...taking }: QuantityFieldProps): ReactNode {
  const id = useId();
  const { text, understood, isNonsense, isUntaken, setTyped, close, press } = useQuantity(taking);
  const error = isNonsense ? notNumeric(text, HELP) : null;
  const words = understood === null ? text : wordsOf(understood);
  const notes = [...(words === text ? [] : [`= ${words}`]), ...(isUntaken ? ['Enter sets it'] : [])];
  const help = notes.length > 0 ? notes.join(' · ') : null;
  const change = (next: string) => {
    setTyped(next);
    (taking.onTyping ?? taking.onNumber)(parseQuantity(next) ?? Number.NaN);
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
        onBlur={({ currentTarget }) => {
          // Where only the window lost the focus, perhaps to look the number up, the box has it still.
          if (document.activeElement !== currentTarget) close();
        }}
        onKeyDown={press}
      />
    </Field>
  );
}

const wordsOf = (value: number): string => operandText({ type: 'number', value }, null);

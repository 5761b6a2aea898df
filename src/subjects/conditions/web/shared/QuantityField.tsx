import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { operandText } from '#subjects/conditions/rules/operand.ts';
import { notNumeric, numericText, parseQuantity, stepNumeric, stepsOfKey } from '#lib/numericInput.ts';
import { useNewest } from '#web/shared/useLoaded.ts';
import { describedBy, Field } from '#ui/Field.tsx';

type QuantityFieldProps = {
  label: string;
  /** NaN if there is no number. */
  value: number;
  isWrong: boolean;
  /** Called for each text; NaN if it is not a number. With `onTyping`, only once the number is applied. */
  onNumber(value: number): void;
  /**
   * Set if the number affects something live: it is then applied only on blur, Enter, or a step. Called with the number
   * that is not applied yet, and with null once it is applied or discarded.
   */
  onTyping?: ((value: number | null) => void) | undefined;
};

const HELP = 'Write it like 250000, 250,000, 250k, 1.5m or 2b.';

/** Runs the newest callback when the component unmounts. */
function useOnGone(run: () => void): void {
  const newest = useNewest(run);
  useEffect(() => () => newest.current(), [newest]);
}

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
      // Stopped here, because Escape would also close the surrounding dialog.
      event.stopPropagation();
      setTyped(null);
      onTyping(null);
    }
  };
  // Unmounting counts as leaving the field, although the browser fires no event.
  useOnGone(takeTyped);
  const isUntaken = isPending && understood !== null && understood !== value;
  return { text, understood, isNonsense, isUntaken, setTyped, close, press };
}

/**
 * A number field. It accepts '100k', '1.5m' and '2b' and shows the result below. Arrows step by one, PageUp and
 * PageDown by ten. Escape discards a number that is not applied. Invalid text stays, with an explanation.
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
          // If only the window lost the focus, the field still has it.
          if (document.activeElement !== currentTarget) close();
        }}
        onKeyDown={press}
      />
    </Field>
  );
}

const wordsOf = (value: number): string => operandText({ type: 'number', value }, null);

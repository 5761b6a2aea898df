import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { formatNumber } from '#texts/format.ts';
import { RangeInput } from '#ui/RangeInput.tsx';
import './MinValueSlider.css';
import { notNumeric } from '#lib/numericInput.ts';
import { parseQuantity } from '#lib/quantity.ts';
import { describedBy } from '#ui/Field.tsx';

const HELP = 'Write it like 5000, 250k or 1.5m.';

type MinValueBoxProps = { value: number; onChange(value: number): void };

/** The text of the box and its message; null while the text is valid. */
function useTypedValue({ value, onChange }: MinValueBoxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const understood = typed === null ? value : parseQuantity(typed);
  const isWrong = typed !== null && typed.trim() !== '' && (understood === null || understood < 0);
  const take = () => {
    if (typed === null || isWrong) return;
    setTyped(null);
    const next = Math.round(understood ?? 0);
    if (next !== value) onChange(next);
  };
  return { typed, setTyped, take, error: isWrong ? wrongText(typed, understood) : null };
}

/**
 * The minimum value as a number to type, which counts once the box is left, or by Enter; Escape takes it back. A text that is
 * no number stays, with a sentence below.
 */
function MinValueBox(props: MinValueBoxProps): ReactNode {
  const id = useId();
  const { typed, setTyped, take, error } = useTypedValue(props);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') take();
    if (event.key === 'Escape') setTyped(null);
  };
  return (
    <span className="filter-value-box">
      <input
        className="filter-value"
        type="text"
        inputMode="decimal"
        aria-label="Min value in dollars"
        aria-invalid={error !== null || undefined}
        aria-describedby={describedBy(id, { error })}
        title={HELP}
        autoComplete="off"
        spellCheck={false}
        maxLength={24}
        value={typed ?? `$${formatNumber(props.value, 0)}`}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={take}
        onKeyDown={onKeyDown}
      />
      {error !== null && (
        <span className="filter-value-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </span>
  );
}

const wrongText = (typed: string, understood: number | null): string =>
  understood === null ? notNumeric(typed, HELP) : 'The minimum value is $0 or more.';

export type MinValueSliderProps = {
  value: number;
  /** The end that today's values suggest. */
  max: number;
  onChange(value: number): void;
};

const STEPS = 100;

const STEPS_OF_KEY: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
};

/** Binary fractions leave a rounding error in a hundredth. */
const isWhole = (steps: number): boolean => Math.abs(steps - Math.round(steps)) < 1e-9;

/** The value this many steps on, from the nearest step in that direction where it stands between two. */
function stepsOn(at: number, by: number): number {
  const from = isWhole(at) ? Math.round(at) : by > 0 ? Math.floor(at) : Math.ceil(at);
  return Math.min(STEPS, Math.max(0, from + by));
}

/** The minimum-value filter, AUD: a slider, whose end follows the market but never under a hand that is dragging, and a box. */
export function MinValueSlider({ value, max, onChange }: MinValueSliderProps): ReactNode {
  const [isHeld, setHeld] = useState(false);
  const end = useRef(max);
  if (!isHeld) end.current = Math.max(max, value);
  const step = end.current / STEPS;
  const put = (steps: number) => onChange(Math.round(steps * step));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = STEPS_OF_KEY[event.key];
    if (by === undefined) return;
    event.preventDefault();
    put(stepsOn(value / step, by));
  };
  return (
    <div className="filter-slider">
      <span aria-hidden="true">Min value</span>
      <RangeInput
        aria-label="Min value"
        min={0}
        max={end.current}
        // A value between two steps stays what it is: the browser would show, and read out, the next one.
        step={isWhole(value / step) ? step : 'any'}
        value={value}
        aria-valuetext={`$${formatNumber(value, 0)}`}
        onChange={(event) => put(Math.round(event.target.valueAsNumber / step))}
        onKeyDown={onKeyDown}
        onPointerDown={() => setHeld(true)}
        onPointerUp={() => setHeld(false)}
        onPointerCancel={() => setHeld(false)}
        onBlur={() => setHeld(false)}
      />
      <MinValueBox value={value} onChange={onChange} />
    </div>
  );
}

import { type ReactNode, useRef, useState } from 'react';
import { formatNumber } from '../../../../src/domain/format.ts';
import { RangeInput } from '../../../ui/RangeInput.tsx';
import './MinValueSlider.css';

export type MinValueSliderProps = {
  value: number;
  /** The end that today's values suggest. */
  max: number;
  onChange(value: number): void;
};

const STEPS = 100;

/** The minimum-value filter, AUD. Its end follows the market, but never under a hand that is dragging. */
export function MinValueSlider({ value, max, onChange }: MinValueSliderProps): ReactNode {
  const [isHeld, setHeld] = useState(false);
  const end = useRef(max);
  if (!isHeld) end.current = Math.max(max, value);
  const shown = `$${formatNumber(value, 0)}`;
  return (
    <label className="filter-slider">
      <span>Min value</span>
      <RangeInput
        min={0}
        max={end.current}
        step={end.current / STEPS}
        value={value}
        aria-valuetext={shown}
        onChange={(event) => onChange(Math.round(event.target.valueAsNumber))}
        onPointerDown={() => setHeld(true)}
        onPointerUp={() => setHeld(false)}
        onPointerCancel={() => setHeld(false)}
        onBlur={() => setHeld(false)}
      />
      <span className="filter-value" aria-hidden="true">
        {shown}
      </span>
    </label>
  );
}

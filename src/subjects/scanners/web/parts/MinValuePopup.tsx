import { Popover } from '@base-ui/react/popover';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { notNumeric, parseQuantity } from '#lib/numericInput.ts';
import { formatNumber } from '#texts/format.ts';
import { describedBy, RangeInput } from '#ui/Field.tsx';

const HELP = 'Write it like 5000, 250k or 1.5m.';

type MinValueBoxProps = {
  value: number;
  onChange(value: number): void;
  /** Called for Enter, unless the text is invalid; moves the focus. */
  onDone(): void;
};

function useTypedValue({ value, onChange }: Pick<MinValueBoxProps, 'value' | 'onChange'>) {
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
 * The minimum value as text. Blur or Enter applies it, and Escape reverts it. Invalid text stays, with a message below.
 */
function MinValueBox({ onDone, ...props }: MinValueBoxProps): ReactNode {
  const id = useId();
  const { typed, setTyped, take, error } = useTypedValue(props);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && error === null) {
      // The focus returns to the button, which must not be pressed; leaving the box applies its text.
      event.preventDefault();
      onDone();
    }
    if (event.key !== 'Escape' || typed === null) return;
    // Reverts the text. Only a second Escape closes the popup.
    event.stopPropagation();
    setTyped(null);
  };
  return (
    <span className="filter-value-box">
      <input
        className="input is-small"
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

type MinValueSliderProps = MinValueBoxProps & {
  /** Maximum of the slider, from today's values. */
  max: number;
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

/** Whether a value is on a step, despite the rounding errors of binary fractions. */
const isWhole = (steps: number): boolean => Math.abs(steps - Math.round(steps)) < 1e-9;

/** Moves by steps, starting from the nearest step in that direction. */
function stepsOn(at: number, by: number): number {
  const from = isWhole(at) ? Math.round(at) : by > 0 ? Math.floor(at) : Math.ceil(at);
  return Math.min(STEPS, Math.max(0, from + by));
}

/** The slider of the minimum value, AUD. Its maximum follows the market, except while it is dragged. */
function MinValueSlider({ value, max, onChange, onDone }: MinValueSliderProps): ReactNode {
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
        // The browser would move a value between two steps to the next one, so allow any value.
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
      <MinValueBox value={value} onChange={onChange} onDone={onDone} />
    </div>
  );
}

type MinValuePopupProps = Omit<MinValueSliderProps, 'onDone'> & {
  anchor: HTMLElement;
  /** Closes it and moves the focus to the button. */
  onClose(): void;
  /** Closes it, because the focus is elsewhere. */
  onLeave(): void;
};

/** Open while mounted. It stays open while the box has an invalid text, so that its error is seen. */
export function MinValuePopup({ anchor, onClose, onLeave, ...slider }: MinValuePopupProps): ReactNode {
  const popup = useRef<HTMLDivElement>(null);
  const closeBy = (isOpen: boolean, { reason }: { reason: string }) => {
    const isWrong = popup.current?.querySelector('[aria-invalid]') != null;
    if (isOpen) return;
    if (reason === 'escape-key') return onClose();
    if (isWrong) return;
    // Leaving the box applies its text, before the box disappears.
    if (popup.current?.contains(document.activeElement)) anchor.focus({ preventScroll: true });
    setTimeout(onLeave);
  };
  return (
    <Popover.Root open onOpenChange={closeBy}>
      <Popover.Portal>
        <Popover.Positioner className="menu-sheet-place" anchor={anchor} align="start" sideOffset={4}>
          <Popover.Popup ref={popup} className="filter-value popup" aria-label="Min value">
            <MinValueSlider {...slider} onDone={onClose} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

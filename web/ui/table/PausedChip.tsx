import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Paused } from './heldOrder.ts';
import './PausedChip.css';

type PausedChipProps = {
  paused: Paused;
  onResume(): void;
  /** The table's: when the chip goes, the focus that was on it goes to a row. */
  frame: RefObject<HTMLElement | null>;
};

function textOf({ newRows, isNearOpenRow }: Paused): string {
  if (isNearOpenRow) return 'Paused near open row';
  return newRows > 0 ? `Paused · ${newRows} new` : 'Paused';
}

/** Says that a table's order is paused, and how many rows wait; a click resumes it. */
export function PausedChip({ paused, onResume, frame }: PausedChipProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const own = button.current;
    const table = frame.current;
    return () => {
      if (own !== null && own === document.activeElement) {
        table?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus({ preventScroll: true });
      }
    };
  }, [frame]);
  return (
    <button
      ref={button}
      type="button"
      className="paused-chip"
      title="Sorting pauses while you use the rows. Click or press . to resume."
      aria-keyshortcuts="."
      // A click leaves the focus on the row that it is on.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onResume}
    >
      {textOf(paused)}
      <span className="visually-hidden">, resume sorting</span>
    </button>
  );
}

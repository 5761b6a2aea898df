import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { formatNumber } from '../../../../texts/format.ts';
import { parseQuantity } from '../../../../lib/quantity.ts';

const HELP = 'Write it like 5000, 250k or 1.5m.';

type MinValueBoxProps = { value: number; onChange(value: number): void };

/** The minimum value as a number to type, which counts once the box is left, or by Enter; Escape takes it back. */
export function MinValueBox({ value, onChange }: MinValueBoxProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = `$${formatNumber(value, 0)}`;
  const understood = typed === null ? value : parseQuantity(typed);
  const isWrong = typed !== null && typed.trim() !== '' && (understood === null || understood < 0);
  const take = () => {
    setTyped(null);
    if (typed === null || isWrong) return;
    const next = Math.round(understood ?? 0);
    if (next !== value) onChange(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A text that is no number stays until it is mended or given up.
    if (event.key === 'Enter' && !isWrong) take();
    if (event.key === 'Escape') setTyped(null);
  };
  return (
    <input
      className="filter-value"
      type="text"
      inputMode="decimal"
      aria-label="Min value in dollars"
      aria-invalid={isWrong || undefined}
      title={HELP}
      autoComplete="off"
      spellCheck={false}
      maxLength={16}
      value={typed ?? shown}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={onKeyDown}
    />
  );
}

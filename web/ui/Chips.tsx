import XIcon from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';
import { focusNeighbour } from './focusNeighbour.ts';

type ChipsProps = {
  label: string;
  chips: readonly { key: string; label: string }[];
  onRemove(key: string): void;
  /** Has the focus after the last chip was removed. */
  fallback: RefObject<HTMLElement | null>;
};

/** What was chosen from a list, each with a cross; after a removal the focus is on the next cross. */
export function Chips({ label, chips, onRemove, fallback }: ChipsProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  if (chips.length === 0) return null;
  const remove = (key: string, index: number) => {
    flushSync(() => onRemove(key));
    focusNeighbour(list.current?.querySelectorAll('button') ?? [], index, fallback.current);
  };
  return (
    <ul className="chosen-chips" ref={list} aria-label={label}>
      {chips.map((chip, index) => (
        <li key={chip.key} className="chosen-chip">
          {chip.label}
          <button type="button" aria-label={`Remove ${chip.label}`} onClick={() => remove(chip.key, index)}>
            <XIcon size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}

import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { stocks } from '../../shared/live/market.ts';
import { DialogSheet } from '../../ui/DialogSheet.tsx';
import { paletteEntries } from './entries.ts';
import './Palette.css';

type PaletteProps = { onClose(): void; listKeys(): void };

/** Ctrl or Cmd and K: jumps to a stock, a screen or an action by typing a part of it. */
export function Palette({ onClose, listKeys }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  // The stocks of the moment in which something was typed: the list must not change under somebody's finger.
  const entries = useMemo(() => paletteEntries(typed, stocks.peek().values(), listKeys), [typed, listKeys]);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);

  const run = (index: number) => {
    const entry = entries[index];
    if (!entry) return;
    onClose();
    entry.run();
  };
  const press = (event: KeyboardEvent) => {
    const to = targetOf(event.key, active, entries.length);
    if (to !== null) setActive(to);
    else if (event.key === 'Enter') run(active);
    else return;
    event.preventDefault();
  };

  return (
    <DialogSheet open title="Go to" onClose={onClose} initialFocus={box} place="top">
      <div className="palette">
        <input
          ref={box}
          className="input"
          role="combobox"
          aria-label="Symbol, screen or action"
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={id}
          aria-activedescendant={entries.length > 0 ? `${id}-${active}` : undefined}
          placeholder="Symbol, screen or action"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(0);
          }}
          onKeyDown={press}
        />
        <ul id={id} ref={list} role="listbox" aria-label="Matches" className="palette-list">
          {entries.map((entry, index) => (
            // The keys are handled by the box, which keeps the focus.
            <li
              key={entry.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className="combobox-option"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => run(index)}
            >
              <span className="combobox-entry">{entry.label}</span>
              <span className="muted combobox-about">{entry.about}</span>
            </li>
          ))}
        </ul>
        <p role="status" className={entries.length === 0 ? 'palette-none' : 'visually-hidden'}>
          {entries.length === 0 ? 'Nothing matches. Type a code, a company or a screen.' : ''}
        </p>
      </div>
    </DialogSheet>
  );
}

/** Which entry a key moves to, round the ends; null for keys that don't move. */
function targetOf(key: string, from: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (from + 1) % count;
  if (key === 'ArrowUp') return (from + count - 1) % count;
  return null;
}

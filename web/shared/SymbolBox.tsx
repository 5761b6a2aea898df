import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { CLEAR_AFTER_MS, MIN_SEARCH_LENGTH } from '../../src/domain/market/symbolSearch.ts';
import './SymbolBox.css';

type PrefixComboboxProps = Omit<ComponentProps<'input'>, 'value' | 'onChange'> & {
  label: string;
  /** What stands in the box, upper case. */
  value: string;
  /** Entries that start with what was typed, best first. */
  search(typed: string): readonly string[];
  /** A second text behind an entry, such as the company's name. */
  describe?(entry: string): string;
  isKnown(entry: string): boolean;
  onText(text: string): void;
  /** An entry was chosen, or typed in full. */
  onPick(entry: string): void;
  isWrong?: boolean;
};

/**
 * A text box that completes from a list (WAI-ARIA combobox with a listbox): from two characters by prefix, in upper
 * case, by keyboard and pointer. Left with something that is not in the list it clears itself after 75 ms.
 */
export function SymbolBox(props: PrefixComboboxProps) {
  const { label, value, search, describe, isKnown, onText, onPick, isWrong = false, id, ...input } = props;
  const ownId = useId();
  const inputId = id ?? ownId;
  const listId = `${inputId}-list`;
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLUListElement>(null);
  const picked = useRef(value);
  const clearing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(clearing.current), []);

  const entries = isOpen ? search(value) : [];
  const optionId = (index: number) => `${listId}-${index}`;
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' });
  }, [active]);

  const show = (open: boolean) => {
    setOpen(open);
    setActive(-1);
  };
  const pick = (entry: string) => {
    picked.current = entry;
    show(false);
    onPick(entry);
  };
  const type = (text: string) => {
    picked.current = '';
    onText(text.toUpperCase());
    show(true);
  };
  const move = (by: number) => {
    if (!isOpen) return show(true);
    if (entries.length > 0)
      setActive((active + by + entries.length + (active < 0 && by < 0 ? 1 : 0)) % entries.length);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape' && entries.length > 0) {
      // The dialog around it must stay.
      event.preventDefault();
      event.stopPropagation();
      show(false);
    } else if (event.key === 'Enter') {
      const chosen = entries[active] ?? (isUnpicked() ? value.trim() : undefined);
      if (chosen === undefined) return;
      event.preventDefault();
      pick(chosen);
    }
  };
  const isUnpicked = () => picked.current !== value.trim() && isKnown(value.trim());
  const leave = () => {
    // At once, not after the delay: what is typed into the next box must not be overwritten.
    if (isUnpicked()) return pick(value.trim());
    show(false);
    if (value === '' || isKnown(value.trim())) return;
    clearing.current = setTimeout(() => onText(''), CLEAR_AFTER_MS);
  };

  return (
    <div className="field combobox">
      <label htmlFor={inputId}>{label}</label>
      <input
        {...input}
        id={inputId}
        className="input"
        role="combobox"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        aria-autocomplete="list"
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-activedescendant={entries[active] === undefined ? undefined : optionId(active)}
        aria-invalid={isWrong || undefined}
        value={value}
        onChange={(event) => type(event.target.value)}
        onFocus={() => clearTimeout(clearing.current)}
        onBlur={leave}
        onKeyDown={press}
      />
      <ul
        id={listId}
        ref={list}
        role="listbox"
        aria-label={label}
        className="combobox-list"
        hidden={entries.length === 0}
      >
        {entries.map((entry, index) => (
          // The keys are handled by the box, which keeps the focus.
          <li
            key={entry}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="combobox-option"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(entry)}
          >
            <span className="combobox-entry">{entry}</span>
            {describe && <span className="muted combobox-about">{describe(entry)}</span>}
          </li>
        ))}
      </ul>
      <span className="visually-hidden" role="status">
        {isOpen &&
          value.length >= MIN_SEARCH_LENGTH &&
          (entries.length === 0 ? 'No matches' : `${entries.length} matches`)}
      </span>
    </div>
  );
}

import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';

export type TextFilterProps = {
  text: string;
  onChange(text: string): void;
  inputRef: RefObject<HTMLInputElement | null>;
};

/** Filters by code or name. Escape clears it, a second one leaves it. */
export function TextFilter({ text, onChange, inputRef }: TextFilterProps): ReactNode {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (text === '') event.currentTarget.blur();
    else onChange('');
  };
  return (
    <span className="filter-text">
      <Search className="filter-text-icon" size={14} aria-hidden="true" />
      <input
        ref={inputRef}
        type="text"
        className="filter-input"
        aria-label="Filter by code or name"
        aria-keyshortcuts="/"
        placeholder="Code or name"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <button type="button" className="filter-clear" aria-label="Clear filter" onClick={() => onChange('')}>
          <X size={13} aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

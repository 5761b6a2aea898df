import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { LEADS_INTO_TABLE } from '#ui/table/rowKeys.ts';
import './TextFilter.css';

export type TextFilterProps = {
  text: string;
  onChange(text: string): void;
  inputRef: RefObject<HTMLInputElement | null>;
};

/** Filters by code or company name. Escape clears the text; in an empty box it gives up the focus. Enter goes on to the rows. */
export function TextFilter({ text, onChange, inputRef }: TextFilterProps): ReactNode {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (text === '') event.currentTarget.blur();
    else onChange('');
  };
  return (
    <span className="text-filter">
      <Search className="text-filter-icon" size={14} aria-hidden="true" />
      <input
        ref={inputRef}
        type="text"
        aria-label="Filter by code or name"
        aria-keyshortcuts="/"
        placeholder="Code or name"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        {...LEADS_INTO_TABLE}
      />
      {text !== '' && (
        <button type="button" aria-label="Clear filter" onClick={() => onChange('')}>
          <X size={13} aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

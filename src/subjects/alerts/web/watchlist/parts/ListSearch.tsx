import { type ReactNode, useRef } from 'react';
import { TextField } from '../../../../../../web/ui/TextField.tsx';
import { LEADS_INTO_TABLE } from '../../../../../../web/ui/table/rowKeys.ts';
import { useFilterKey } from '../../../../../../web/ui/useFilterKey.ts';

const MAX_SEARCH = 100;

type ListSearchProps = { label: string; placeholder: string; typed: string; onType(typed: string): void };

/** The box that searches a list of alerts or triggers; the / key leads into it. */
export function ListSearch({ label, placeholder, typed, onType }: ListSearchProps): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  useFilterKey(box);
  return (
    <div className="list-search">
      <TextField
        ref={box}
        label={label}
        type="search"
        placeholder={placeholder}
        value={typed}
        maxLength={MAX_SEARCH}
        autoComplete="off"
        spellCheck={false}
        {...LEADS_INTO_TABLE}
        onChange={(event) => onType(event.target.value)}
      />
    </div>
  );
}

/** Whether what was typed stands in one of a row's texts. */
export function isFound(texts: readonly string[], typed: string): boolean {
  const asked = typed.trim().toLowerCase();
  return asked === '' || texts.join('\n').toLowerCase().includes(asked);
}

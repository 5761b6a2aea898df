import './Palette.css';
import { Autocomplete } from '@base-ui/react/autocomplete';
import { useMemo, useRef, useState } from 'react';
import { stocks } from '../../shared/live/market.ts';
import { useWatch } from '../../shared/live/useWatch.ts';
import { DialogSheet } from '../../ui/DialogSheet.tsx';
import { idOfRow } from '../../ui/table/rowFocus.ts';
import { paletteEntries } from './entries.ts';
import { useSavedScans } from './useSavedScans.ts';
import type { PaletteEntry } from './search.ts';

type PaletteProps = { onClose(): void; listKeys(): void };

/** Ctrl or Cmd and K: jumps to a stock, a screen or an action by typing a part of it. */
export function Palette({ onClose, listKeys }: PaletteProps) {
  const [typed, setTyped] = useState('');
  // The dialog takes the focus after this first render.
  const [rowCode] = useState(() => idOfRow(document.activeElement));
  const box = useRef<HTMLInputElement>(null);
  const hasStocks = useWatch({ all: true });
  const savedScans = useSavedScans();
  // The stocks of the moment in which something was typed: the list must not change under somebody's finger.
  const entries = useMemo(
    () =>
      paletteEntries({
        typed,
        stocks: hasStocks ? stocks.peek().values() : [],
        savedScans,
        rowCode,
        listKeys,
      }),
    [typed, hasStocks, savedScans, rowCode, listKeys],
  );
  const chosen = useRef<PaletteEntry | null>(null);
  const choose = (entry: PaletteEntry) => {
    chosen.current = entry;
    onClose();
    entry.run();
  };
  return (
    <DialogSheet
      open
      title="Go to"
      onClose={onClose}
      initialFocus={box}
      returnsFocus={() => chosen.current?.focus?.() ?? chosen.current?.takesFocus !== true}
      place="top"
    >
      <div className="palette">
        <Autocomplete.Root
          inline
          open
          // `paletteEntries` has filtered and ranked them.
          mode="none"
          items={entries}
          itemToStringValue={({ label }: PaletteEntry) => label}
          autoHighlight="always"
          keepHighlight
          highlightItemOnHover={false}
          value={typed}
          onValueChange={setTyped}
        >
          <Autocomplete.Input
            ref={box}
            className="input"
            aria-label="Symbol, screen or action"
            placeholder="Symbol, screen or action"
            spellCheck={false}
          />
          <Autocomplete.List aria-label="Matches" className="palette-list">
            {(entry: PaletteEntry) => <Option key={entry.id} entry={entry} onChoose={choose} />}
          </Autocomplete.List>
          <Autocomplete.Empty className="palette-none">
            Nothing matches. Type a code, a company or a screen.
          </Autocomplete.Empty>
        </Autocomplete.Root>
      </div>
    </DialogSheet>
  );
}

type OptionProps = { entry: PaletteEntry; onChoose(entry: PaletteEntry): void };

function Option({ entry, onChoose }: OptionProps) {
  return (
    <Autocomplete.Item value={entry} className="palette-option" onClick={() => onChoose(entry)}>
      <span className="palette-label">{entry.label}</span>
      <span className="palette-about">{entry.about}</span>
    </Autocomplete.Item>
  );
}

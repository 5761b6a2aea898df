import './Palette.css';
import { Autocomplete } from '@base-ui/react/autocomplete';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Stock } from '../../../src/market/rules/stock.ts';
import { AlertMe } from '../../../src/subjects/alerts/web/shared/AlertMe.tsx';
import { showAlert } from '../../../src/subjects/alerts/web/shared/showAlert.ts';
import { stocks } from '../../live/market.ts';
import { useWatch } from '../../live/useWatch.ts';
import { DialogSheet } from '../../ui/DialogSheet.tsx';
import { idOfRow } from '../../ui/table/rowFocus.ts';
import { paletteEntries } from './entries.ts';
import { useHeadlines } from './useHeadlines.ts';
import { useSavedScans } from './useSavedScans.ts';
import type { PaletteEntry } from './search.ts';

const NO_STOCKS: ReadonlyMap<string, Stock> = new Map();

type PaletteProps = { onClose(): void; listKeys(): void };

/** Ctrl or Cmd and K: jumps to a stock, a screen, an action or a headline by typing a part of it. */
export function Palette({ onClose, listKeys }: PaletteProps) {
  const [typed, setTyped] = useState('');
  // The dialog takes the focus after this first render.
  const [rowCode] = useState(() => idOfRow(document.activeElement));
  const [alertRow, setAlertRow] = useState<Stock | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const hasStocks = useWatch({ all: true });
  const savedScans = useSavedScans();
  const headlines = useHeadlines(typed);
  // The stocks of the moment in which something was typed: the list must not change under somebody's finger.
  const alertOn = useCallback(
    (code: string) => {
      const stock = stocks.peek().get(code);
      if (stock) return setAlertRow(stock);
      onClose();
      showAlert(code, null);
    },
    [onClose],
  );
  const entries = useMemo(
    () =>
      paletteEntries({
        typed,
        stocks: hasStocks ? stocks.peek() : NO_STOCKS,
        savedScans,
        headlines: headlines.found,
        rowCode,
        listKeys,
        alertOn,
      }),
    [typed, hasStocks, savedScans, headlines.found, rowCode, listKeys, alertOn],
  );
  const chosen = useRef<PaletteEntry | null>(null);
  const choose = (entry: PaletteEntry) => {
    chosen.current = entry;
    if (entry.closesItself !== true) onClose();
    entry.run();
  };
  if (alertRow) return <AlertMe row={alertRow} onClose={onClose} />;
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
            placeholder="Symbol, screen, action or headline"
            spellCheck={false}
          />
          <Autocomplete.List aria-label="Matches" className="palette-list">
            {(entry: PaletteEntry) => <Option key={entry.id} entry={entry} onChoose={choose} />}
          </Autocomplete.List>
          <Autocomplete.Empty className="palette-none">
            {!headlines.isSearching && 'Nothing matches. Type a code, a company or a screen.'}
          </Autocomplete.Empty>
        </Autocomplete.Root>
        <p className="palette-state" aria-live="polite">
          {headlines.words}
        </p>
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

import '#web/styles/layout.css';
import '../appLate.css';
import { Autocomplete } from '@base-ui/react/autocomplete';
import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import { AlertMe } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { showAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { stocks } from '#web/live/market.ts';
import { useWatch } from '#web/live/useWatch.ts';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { idOfRow } from '#ui/table/rowFocus.ts';
import { paletteEntries } from './entries.ts';
import { useHeadlines } from './useHeadlines.ts';
import type { PaletteEntry } from './search.ts';
import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { fetchScans } from '#subjects/indicators/web/shared/scans/fetchScans.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';

const NONE: readonly ScanView[] = [];

/** The user's saved scans, as soon as they are loaded; none for a visitor, and none when they can't be loaded. */
function useSavedScans(): readonly ScanView[] {
  // The palette is of use without them; the custom scanner says what is wrong.
  const { data } = useLoaded(fetchScans, 'The saved scans could not be loaded for the palette.', {
    of: session.value.isAuthenticated || null,
  });
  return data ?? NONE;
}

const NO_STOCKS: ReadonlyMap<string, Stock> = new Map();

type PaletteProps = {
  /** What is in its box, with what was typed before the box was there. */
  typed: string;
  onType(typed: string): void;
  onClose(): void;
  listKeys(): void;
};

/** What was found for what is typed. @param alertOn asks for an alert on a stock */
function useEntries(typed: string, listKeys: () => void, alertOn: (code: string) => void) {
  // The dialog takes the focus after this first render.
  const [rowCode] = useState(() => idOfRow(document.activeElement));
  const hasStocks = useWatch({ all: true });
  const savedScans = useSavedScans();
  const headlines = useHeadlines(typed);
  const { found } = headlines;
  const entries = useMemo(() => {
    // The stocks of the moment in which something was typed: the list must not change under somebody's finger.
    const known = hasStocks ? stocks.peek() : NO_STOCKS;
    return paletteEntries({ typed, stocks: known, savedScans, headlines: found, rowCode, listKeys, alertOn });
  }, [typed, hasStocks, savedScans, found, rowCode, listKeys, alertOn]);
  return { entries, headlines };
}

/** Ctrl or Cmd and K: jumps to a stock, a screen, an action or a headline by typing a part of it. */
export function Palette({ typed, onType, onClose, listKeys }: PaletteProps) {
  const [alertRow, setAlertRow] = useState<Stock | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const chosen = useRef<PaletteEntry | null>(null);
  const alertOn = useCallback(
    (code: string) => {
      const stock = stocks.peek().get(code);
      if (stock) return setAlertRow(stock);
      onClose();
      showAlert(code, null);
    },
    [onClose],
  );
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
      <Search
        box={box}
        typed={typed}
        onType={onType}
        listKeys={listKeys}
        alertOn={alertOn}
        onChoose={choose}
      />
    </DialogSheet>
  );
}

type SearchProps = Pick<PaletteProps, 'typed' | 'onType' | 'listKeys'> & {
  box: RefObject<HTMLInputElement | null>;
  alertOn(code: string): void;
  onChoose(entry: PaletteEntry): void;
};

function Search({ box, typed, onType, listKeys, alertOn, onChoose }: SearchProps) {
  const { entries, headlines } = useEntries(typed, listKeys, alertOn);
  return (
    <div className="palette stack">
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
        onValueChange={onType}
      >
        <Autocomplete.Input
          ref={box}
          className="input"
          aria-label="Symbol, screen or action"
          placeholder="Symbol, screen, action or headline"
          spellCheck={false}
        />
        <Autocomplete.List aria-label="Matches" className="palette-list">
          {(entry: PaletteEntry) => <Option key={entry.id} entry={entry} onChoose={onChoose} />}
        </Autocomplete.List>
        <Autocomplete.Empty className="palette-none muted">
          {!headlines.isSearching && 'Nothing matches. Type a code, a company or a screen.'}
        </Autocomplete.Empty>
      </Autocomplete.Root>
      <p className="palette-state muted small" aria-live="polite">
        {headlines.words}
      </p>
    </div>
  );
}

type OptionProps = { entry: PaletteEntry; onChoose(entry: PaletteEntry): void };

function Option({ entry, onChoose }: OptionProps) {
  return (
    <Autocomplete.Item value={entry} className="option" onClick={() => onChoose(entry)}>
      <b>{entry.label}</b>
      <span className="ellipsis muted small">{entry.about}</span>
    </Autocomplete.Item>
  );
}

import { Autocomplete } from '@base-ui/react/autocomplete';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { AlertMe } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { showAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { type Headline, searchHeadlines } from '#subjects/announcements/web/shared/newsRequests.ts';
import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { fetchScans } from '#subjects/indicators/web/shared/ownScans.ts';
import { stocks } from '../../live/market.ts';
import { useWatch } from '../../live/useWatch.tsx';
import { useLoaded } from '../../shared/useLoaded.ts';
import '../../styles/layout.css';
import { DialogSheet } from '../../ui/DialogSheet.tsx';
import { idOfRow } from '../../ui/table/rowFocus.ts';
import '../appLate.css';
import { paletteEntries, type PaletteEntry } from './entries.ts';

/** Delay of a search after typing, ms. */
export const TYPING_MS = 250;
/** Limit of headlines, so that the results above stay visible. */
const MAX_HEADLINES = 8;
/** The server's minimum length of a search, characters. */
const MIN_TYPED = 2;
const MAX_TYPED = 80;

export type Headlines = {
  found: readonly Headline[];
  isSearching: boolean;
  words: string | null;
};

const NO_HEADLINES: readonly Headline[] = [];
const NOTHING: Headlines = { found: NO_HEADLINES, isSearching: false, words: null };
const SEARCHING: Headlines = { found: NO_HEADLINES, isSearching: true, words: 'Searching headlines…' };
const FAILED = 'Headlines could not be searched';

/** Headlines that match, newest first; only for signed-in users. */
export function useHeadlines(text: string): Headlines {
  const typed = text.trim();
  const { isAuthenticated } = session.value;
  const isSearched = isAuthenticated && typed.length >= MIN_TYPED && typed.length <= MAX_TYPED;
  const { data, isCurrent, error } = useLoaded(
    (signal) => searchHeadlines(typed, MAX_HEADLINES, signal),
    'Try again.',
    { of: isSearched ? typed : null, pauseMs: TYPING_MS },
  );
  if (!isSearched) return NOTHING;
  if (error !== null) return { ...NOTHING, words: `${FAILED}. ${error}` };
  return isCurrent && data !== null ? { ...NOTHING, found: data } : SEARCHING;
}

const NONE: readonly ScanView[] = [];

/** The user's saved scans; empty until loaded, for visitors, and after a failure. */
function useSavedScans(): readonly ScanView[] {
  // An error is not shown, because the palette works without scans and the custom scanner reports it.
  const { data } = useLoaded(fetchScans, 'The saved scans could not be loaded for the palette.', {
    of: session.value.isAuthenticated || null,
  });
  return data ?? NONE;
}

const NO_STOCKS: ReadonlyMap<string, Stock> = new Map();

type PaletteProps = {
  /** Text of the search field, including what was typed before it appeared. */
  typed: string;
  /** Whether Enter was pressed before the field appeared: then the first match is chosen. */
  isEntered: boolean;
  onType(typed: string): void;
  onClose(): void;
  listKeys(): void;
};

/** @param alertOn opens the alert dialog of a stock */
function useEntries(typed: string, listKeys: () => void, alertOn: (code: string) => void) {
  // Read at the first render, before the dialog takes the focus.
  const [rowCode] = useState(() => idOfRow(document.activeElement));
  const hasStocks = useWatch({ all: true });
  const savedScans = useSavedScans();
  const headlines = useHeadlines(typed);
  const { found } = headlines;
  const entries = useMemo(() => {
    // A snapshot at the time of typing, so that the list does not change while the user selects.
    const known = hasStocks ? stocks.peek() : NO_STOCKS;
    return paletteEntries({ typed, stocks: known, savedScans, headlines: found, rowCode, listKeys, alertOn });
  }, [typed, hasStocks, savedScans, found, rowCode, listKeys, alertOn]);
  return { entries, headlines };
}

export function Palette({ typed, isEntered, onType, onClose, listKeys }: PaletteProps) {
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
        isEntered={isEntered}
        onType={onType}
        listKeys={listKeys}
        alertOn={alertOn}
        onChoose={choose}
      />
    </DialogSheet>
  );
}

type SearchProps = Pick<PaletteProps, 'typed' | 'isEntered' | 'onType' | 'listKeys'> & {
  box: RefObject<HTMLInputElement | null>;
  alertOn(code: string): void;
  onChoose(entry: PaletteEntry): void;
};

function Search({ box, typed, isEntered, onType, listKeys, alertOn, onChoose }: SearchProps) {
  const { entries, headlines } = useEntries(typed, listKeys, alertOn);
  const entered = isEntered ? entries[0] : undefined;
  useEffect(() => {
    if (entered) onChoose(entered);
  }, [entered, onChoose]);
  return (
    <div className="palette stack">
      <Autocomplete.Root
        inline
        open
        // No filter, because `paletteEntries` has already filtered and ranked the entries.
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

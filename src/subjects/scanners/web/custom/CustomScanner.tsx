import { signal } from '@preact/signals-react';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { useActions } from '#web/shared/actions.ts';
import { hasValues, useMatches, useArriving } from '#subjects/conditions/web/shared/useMatches.ts';
import { loadCatalogs, platformCatalog } from '#web/shared/indicators/catalog.ts';
import { isRecord } from '#lib/json.ts';
import { readCount } from '#lib/read.ts';
import { stocks } from '#web/live/market.ts';
import { keptInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import { leaveView, marketView } from '#web/shared/scannerRequests.ts';
import { type Filtered, ScannerScreen, type ScannerScreenProps } from '../ScannerScreen.tsx';
import { countText } from './countText.ts';
import { ScanBar } from './ScanBar.tsx';
import {
  activateScan,
  activeScan,
  dropDraftIndicators,
  followOtherWindows,
  loadScans,
  resetScans,
  scans,
  selectedIndicators,
  changeError,
  dismissChangeError,
  loadError,
} from './state.ts';
import { useListedMatches, type ListedMatches } from './useListedMatches.ts';
import { useOperandColumns } from './useOperandColumns.ts';
import { operandsOf, type Logic } from '#subjects/conditions/rules/condition.ts';
import { type Operand, operandText, type ScanRef } from '#subjects/conditions/rules/operand.ts';
import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import { type ScanLists, scanListsText, listProblem } from '#subjects/conditions/rules/scanLists.ts';
import '../scannersLate.css';
import { CatalogProblem } from '#web/shared/indicators/CatalogProblem.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';

/** What went wrong with loading scans or the catalog, with the last change, with its lists, or with the active scan; nothing when all is well. */
function ScanNotices({ lists }: { lists: ListedMatches }): ReactNode {
  const scan = activeScan.value;
  // A list may have been deleted since the scans were loaded.
  const problem = scan?.problem ?? (scan?.lists && lists.isGone ? listProblem(scan.lists, []) : null);
  return (
    <>
      {loadError.value && (
        <Banner action={<Button onClick={() => void loadScans()}>Retry</Button>}>{loadError.value}</Banner>
      )}
      {lists.error !== null && (
        <Banner action={<Button onClick={() => void lists.reload()}>Retry</Button>}>{lists.error}</Banner>
      )}
      <CatalogProblem />
      {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
      {problem && <Banner variant="warn">This scan no longer works: {problem} Edit it or delete it.</Banner>}
    </>
  );
}

type ScanWordsProps = { logic: Logic; lists: ScanLists | null; catalog: Catalog | null };

/** The scan that filters, in words; in one line, the whole of it as its tooltip. */
function ScanWords({ logic, lists, catalog }: ScanWordsProps): ReactNode {
  const conditions = useMemo(() => logicText(logic, catalog), [logic, catalog]);
  const text = lists === null ? conditions : `Only ${scanListsText(lists)}: ${conditions}`;
  return (
    <p className="scan-words ellipsis two-lines muted small" title={text}>
      {text}
    </p>
  );
}

const ScanEditor = lazy(() =>
  import('./editor/ScanEditor.tsx').then((code) => ({ default: code.ScanEditor })),
);
const IndicatorsDialog = lazy(() =>
  import('./IndicatorsDialog.tsx').then((code) => ({ default: code.IndicatorsDialog })),
);

type OpenDialog = { kind: 'editor'; id: number | null } | { kind: 'indicators' } | null;

/** The editor, when a session ended under it. */
function openedByKeptScan(): OpenDialog {
  const kept = keptInput('scan');
  return isRecord(kept) ? { kind: 'editor', id: readCount(kept.id) } : null;
}

export type CustomScannerProps = Omit<
  ScannerScreenProps,
  'scanner' | 'stocks' | 'matches' | 'savedScan' | 'scope' | 'moreColumns' | 'emptyNote' | 'notices'
> & { notices?: ReactNode };

/** The custom scanner: the table of all stocks, filtered by a scan of the user's own. */
export function CustomScanner(props: CustomScannerProps): ReactNode {
  const view = marketView.value;
  const scan = view ? null : activeScan.value;
  const [dialog, setDialog] = useState<OpenDialog>(openedByKeptScan);
  useScans();
  const { market, catalog, logic, lists, waiting, scanned, isArriving } = useScanned(scan);
  const { matches } = lists;
  const isPartial = isArriving || props.hasStocks === false;
  const edit = (id: number | null) => setDialog({ kind: 'editor', id });
  const chooseIndicators = () => setDialog({ kind: 'indicators' });
  useScanActions(scan, edit, chooseIndicators);
  return (
    <ScannerScreen
      {...props}
      scanner="custom"
      hasStocks={(props.hasStocks ?? true) && !lists.isAwaiting}
      stocks={scanned}
      matches={matches}
      savedScan={refOf(scan)}
      scope={scan ? `${scan.id} ${scan.updatedAt}` : ''}
      view={view}
      onPopOut={view ? null : props.onPopOut}
      moreColumns={useScanColumns(scan)}
      emptyNote={waiting}
      notices={({ shown, filters, today, bell, onAlert }) => (
        <>
          {view === null && (
            <ScanBar
              count={matches && countText({ matches: matches.size, total: market.size, shown, isPartial })}
              isWaiting={waiting !== null}
              bell={bell}
              onAlert={onAlert}
              onNew={() => edit(null)}
              onEdit={edit}
              onIndicators={chooseIndicators}
            />
          )}
          {logic && <ScanWords logic={logic} lists={scan?.lists ?? null} catalog={catalog} />}
          <ScanNotices lists={lists} />
          {props.notices}
          <Dialogs dialog={dialog} filters={filters} today={today} onClose={() => setDialog(null)} />
        </>
      )}
    />
  );
}

const refOf = (scan: ScanView | null): ScanRef | null =>
  scan && { type: 'scan', id: scan.id, name: scan.name };

type DialogsProps = Pick<Filtered, 'filters' | 'today'> & { dialog: OpenDialog; onClose(): void };

function Dialogs({ dialog, filters, today, onClose }: DialogsProps): ReactNode {
  return (
    <Suspense fallback={null}>
      {dialog?.kind === 'editor' && (
        <ScanEditor id={dialog.id} filters={filters} today={today} onClose={onClose} />
      )}
      {dialog?.kind === 'indicators' && <IndicatorsDialog onClose={onClose} />}
    </Suspense>
  );
}

/** The market with every tick, and what the scan finds in it. */
function useScanned(scan: ScanView | null) {
  const market = stocks.value;
  const logic = scan?.logic ?? null;
  const catalog = platformCatalog.value?.catalog ?? null;
  const lists = useListedMatches(useMatches(logic, market), scan?.lists ?? null);
  const operands = useMemo(() => (logic ? operandsOf(logic) : []), [logic]);
  const waiting = waitingNote(operands, market, catalog);
  // Rows and what the scan lets through of them change together: this screen renders with every tick.
  const scanned = useMemo(() => signal(market), [market]);
  const isArriving = useArriving(operands, market);
  return { market, catalog, logic, lists, waiting, scanned, isArriving };
}

/** What the palette offers of scans, once they are loaded. */
function useScanActions(
  scan: ScanView | null,
  edit: (id: number | null) => void,
  chooseIndicators: () => void,
): void {
  useActions([
    ...(marketView.value ? [{ label: 'Back to my scanner', words: 'leave view', run: leaveView }] : []),
    ...(scans.value === null || marketView.value
      ? []
      : [
          { label: 'New scan', words: 'conditions', run: () => edit(null) },
          ...(scan
            ? [{ label: `Edit ${scan.name}`, words: 'scan conditions', run: () => edit(scan.id) }]
            : []),
          { label: 'Indicators', words: 'columns', run: chooseIndicators },
          { label: 'Show all stocks', words: 'scan none', run: () => activateScan(null) },
        ]),
  ]);
}

/** Loads scans and selected indicators, follows other windows, and forgets everything when the screen is left. */
function useScans(): void {
  useEffect(() => {
    void loadScans();
    const stop = followOtherWindows();
    return () => {
      stop();
      // Before the reset: an editor that is still open has asked for values.
      void dropDraftIndicators();
      resetScans();
      leaveView();
    };
  }, []);
}

/** The selected indicators and what the scan reads, as columns after those of the table. */
function useScanColumns(scan: ScanView | null) {
  const selected = selectedIndicators.value;
  const logic = scan?.logic ?? null;
  const operands = useMemo(() => [...selected, ...(logic ? operandsOf(logic) : [])], [selected, logic]);
  const needsNames = operands.some(({ type }) => type === 'indicator');
  useEffect(() => {
    if (needsNames) void loadCatalogs();
  }, [needsNames]);
  return useOperandColumns(operands);
}

/** Names the operands that no stock has a value of yet; null when there is none. */
function waitingNote(
  operands: readonly Operand[],
  market: ReadonlyMap<string, Stock>,
  catalog: Catalog | null,
): string | null {
  const missing = operands.filter((operand) => !hasValues(operand, market));
  if (market.size === 0 || missing.length === 0) return null;
  return `Waiting for values of ${missing.map((operand) => operandText(operand, catalog)).join(', ')}.`;
}

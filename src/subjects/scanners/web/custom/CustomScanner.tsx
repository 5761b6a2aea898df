import { signal } from '@preact/signals-react';
import { type ReactNode, useEffect, useMemo, useState, type RefObject, useId, useRef } from 'react';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { useActions } from '#web/shared/actions.ts';
import { hasValues, useMatches, useArriving } from '#subjects/conditions/web/shared/operands.ts';
import { loadCatalogs, platformCatalog } from '#web/shared/indicators/catalog.ts';
import { isRecord } from '#lib/json.ts';
import { readCount } from '#lib/read.ts';
import { stocks } from '#web/live/market.ts';
import { keptInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import { leaveView, marketView } from '#web/shared/scannerRequests.ts';
import { type Filtered, ScannerScreen, type ScannerScreenProps } from '../ScannerScreen.tsx';
import { countText, useListedMatches, type ListedMatches, useOperandColumns } from './scanMatches.ts';
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
  duplicateScan,
  removeScan,
} from './state.ts';
import { conditionsOf, operandsOf, type Logic } from '#subjects/conditions/rules/condition.ts';
import { type Operand, operandText } from '#subjects/conditions/rules/operand.ts';
import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import { type ScanLists, scanListsText, listProblem } from '#subjects/conditions/rules/scanLists.ts';
import '../scannersLate.css';
import type { Template } from './templates.ts';
import { CatalogProblem } from '#web/shared/indicators/CatalogProblem.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import CopyIcon from 'lucide-react/icons/copy';
import PencilIcon from 'lucide-react/icons/pencil';
import PlusIcon from 'lucide-react/icons/plus';
import SigmaIcon from 'lucide-react/icons/sigma';
import TrashIcon from 'lucide-react/icons/trash-2';
import { late, LateConfirm } from '#web/shared/lateStyles.ts';
import { AlertBell, type BellState, ToolbarButton } from '../parts/ToolbarButton.tsx';

type ScanBarProps = {
  /** Number of matches in words; null without a scan. */
  count: string | null;
  /** True if the scan reads something that has no value for any stock yet. */
  isWaiting: boolean;
  bell: BellState;
  onAlert(): void;
  onNew(): void;
  onEdit(id: number): void;
  onIndicators(): void;
};

const ALL_STOCKS = '';

function ScanBar({ count, isWaiting, onNew, onIndicators, ...actions }: ScanBarProps): ReactNode {
  const scan = activeScan.value;
  const select = useRef<HTMLSelectElement>(null);
  const isLoading = scans.value === null;
  const selected = selectedIndicators.value.length;
  return (
    <div className="scan-bar cluster" role="toolbar" aria-label="Saved scans">
      <ScanSelect selectRef={select} />
      <ToolbarButton label="New scan" icon={<PlusIcon size={15} />} disabled={isLoading} onClick={onNew} />
      {scan && <ScanActions scan={scan} {...actions} onDeleted={() => select.current?.focus()} />}
      <ToolbarButton
        label={selected === 0 ? 'Indicators' : `Indicators (${selected})`}
        icon={<SigmaIcon size={14} />}
        disabled={isLoading}
        onClick={onIndicators}
      />
      {count !== null && (
        <span className="scan-count flex-none table-text">
          {count}
          {isWaiting && <span className="muted">, waiting for values</span>}
        </span>
      )}
    </div>
  );
}

function ScanSelect({ selectRef }: { selectRef: RefObject<HTMLSelectElement | null> }): ReactNode {
  const list = scans.value;
  const scan = activeScan.value;
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="flex-none muted table-text">
        Scan
      </label>
      <select
        id={id}
        ref={selectRef}
        className="input is-small scan-select"
        title={scan?.name}
        value={scan ? String(scan.id) : ALL_STOCKS}
        disabled={list === null}
        onChange={({ target }) => activateScan(target.value === ALL_STOCKS ? null : Number(target.value))}
      >
        <option value={ALL_STOCKS}>All stocks</option>
        {list?.map((saved) => (
          <option key={saved.id} value={String(saved.id)}>
            {saved.name}
          </option>
        ))}
      </select>
    </>
  );
}

type ScanActionsProps = Pick<ScanBarProps, 'bell' | 'onAlert' | 'onEdit'> & {
  scan: ScanView;
  onDeleted(): void;
};

function ScanActions({ scan, bell, onAlert, onEdit, onDeleted }: ScanActionsProps): ReactNode {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <ToolbarButton label="Edit" icon={<PencilIcon size={14} />} onClick={() => onEdit(scan.id)} />
      <ToolbarButton
        label="Duplicate"
        icon={<CopyIcon size={14} />}
        onClick={() => void duplicateScan(scan)}
      />
      <AlertBell state={bell} onAlert={onAlert} />
      <ToolbarButton label="Delete" icon={<TrashIcon size={14} />} onClick={() => setDeleting(true)} />
      {isDeleting && <DeleteDialog scan={scan} onAnswered={() => setDeleting(false)} onDeleted={onDeleted} />}
    </>
  );
}

type DeleteDialogProps = { scan: ScanView; onAnswered(): void; onDeleted(): void };

function DeleteDialog({ scan, onAnswered, onDeleted }: DeleteDialogProps): ReactNode {
  return (
    <LateConfirm
      open
      title="Delete scan"
      action="Delete"
      onConfirm={() => {
        onAnswered();
        void removeScan(scan.id).then((isGone) => isGone && onDeleted());
      }}
      onCancel={onAnswered}
    >
      <p>
        Delete scan “{scan.name}”? This can’t be undone. Alerts that use it stay, but it no longer makes them
        fire.
      </p>
    </LateConfirm>
  );
}

function ScanBanners({ lists }: { lists: ListedMatches }): ReactNode {
  const scan = activeScan.value;
  // A list may have been deleted after the scans were loaded.
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

function ScanWords({ logic, lists, catalog }: ScanWordsProps): ReactNode {
  const conditions = useMemo(() => logicText(logic, catalog), [logic, catalog]);
  const text = lists === null ? conditions : `Only ${scanListsText(lists)}: ${conditions}`;
  return <span title={text}>{text}</span>;
}

const ScanEditor = late(() => import('./ScanEditor.tsx').then((code) => code.ScanEditor));
const IndicatorsDialog = late(() => import('./IndicatorsDialog.tsx').then((code) => code.IndicatorsDialog));

type OpenDialog = { kind: 'editor'; id: number | null; template?: Template } | { kind: 'indicators' } | null;

/** The dialog to open at start: the editor if a session ended while it was open. */
function openedByKeptScan(): OpenDialog {
  const kept = keptInput('scan');
  return isRecord(kept) ? { kind: 'editor', id: readCount(kept.id) } : null;
}

type CustomScannerProps = Omit<
  ScannerScreenProps,
  'scanner' | 'stocks' | 'matches' | 'savedScan' | 'scope' | 'moreColumns' | 'emptyNote' | 'notices'
> & { banners?: ReactNode };

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
      savedScan={scan && { type: 'scan', id: scan.id, name: scan.name }}
      scope={scan ? `${scan.id} ${scan.updatedAt}` : ''}
      view={view}
      onPopOut={view ? null : props.onPopOut}
      moreColumns={useScanColumns(scan)}
      emptyNote={
        waiting ?? (logic && hasCrossing(logic) ? 'A stock that crosses is shown for one minute.' : null)
      }
      heading={({ shown, bell, onAlert }) => ({
        tools: view === null && (
          <ScanBar
            count={matches && countText({ matches: matches.size, total: market.size, shown, isPartial })}
            isWaiting={waiting !== null}
            bell={bell}
            onAlert={onAlert}
            onNew={() => edit(null)}
            onEdit={edit}
            onIndicators={chooseIndicators}
          />
        ),
        note: logic && <ScanWords logic={logic} lists={scan?.lists ?? null} catalog={catalog} />,
      })}
      banners={({ shown, bell, onAlert, ...filtered }) => (
        <>
          <ScanBanners lists={lists} />
          {props.banners}
          <Dialogs {...filtered} dialog={dialog} onClose={() => setDialog(null)} />
        </>
      )}
    />
  );
}

const hasCrossing = (logic: Logic): boolean => conditionsOf(logic).some(({ op }) => op.startsWith('crosses'));

type DialogsProps = Pick<Filtered, 'filters' | 'today' | 'watch' | 'onSort'> & {
  dialog: OpenDialog;
  onClose(): void;
};

function Dialogs({ dialog, onClose, ...filtered }: DialogsProps): ReactNode {
  return (
    <>
      {dialog?.kind === 'editor' && (
        <ScanEditor {...filtered} id={dialog.id} template={dialog.template} onClose={onClose} />
      )}
      {dialog?.kind === 'indicators' && <IndicatorsDialog onClose={onClose} />}
    </>
  );
}

function useScanned(scan: ScanView | null) {
  const market = stocks.value;
  const logic = scan?.logic ?? null;
  const catalog = platformCatalog.value?.catalog ?? null;
  const lists = useListedMatches(useMatches(logic, market), scan?.lists ?? null);
  const operands = useMemo(() => (logic ? operandsOf(logic) : []), [logic]);
  const waiting = waitingNote(operands, market, catalog);
  // A signal per render, because rows and matches must change together; this screen renders with every tick anyway.
  const scanned = useMemo(() => signal(market), [market]);
  const isArriving = useArriving(operands, market);
  return { market, catalog, logic, lists, waiting, scanned, isArriving };
}

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

function useScans(): void {
  useEffect(() => {
    void loadScans();
    const stop = followOtherWindows();
    return () => {
      stop();
      // Done before the reset, because an open editor has requested values.
      void dropDraftIndicators();
      resetScans();
      leaveView();
    };
  }, []);
}

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

/** Names the operands without a value for any stock; null if there are none. */
function waitingNote(
  operands: readonly Operand[],
  market: ReadonlyMap<string, Stock>,
  catalog: Catalog | null,
): string | null {
  const missing = operands.filter((operand) => !hasValues(operand, market));
  if (market.size === 0 || missing.length === 0) return null;
  return `Waiting for values of ${missing.map((operand) => operandText(operand, catalog)).join(', ')}.`;
}

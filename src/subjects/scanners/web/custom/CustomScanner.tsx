import { signal } from '@preact/signals-react';
import { type ReactNode, useEffect, useMemo, useState, type RefObject, useRef } from 'react';
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
import { type Template, TEMPLATES } from './templates.ts';
import { CatalogProblem } from '#web/shared/indicators/CatalogProblem.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { useAnchor } from '#ui/useAnchor.ts';
import EllipsisIcon from 'lucide-react/icons/ellipsis';
import PencilIcon from 'lucide-react/icons/pencil';
import PlusIcon from 'lucide-react/icons/plus';
import { late, LateConfirm } from '#web/shared/lateStyles.ts';
import { AlertBell, type BellState, ToolbarButton } from '../parts/ToolbarButton.tsx';

type ScanBarProps = {
  /** Number of matches in words; null without a scan. */
  count: string | null;
  /** True if the scan reads something that has no value for any stock yet. */
  isWaiting: boolean;
  bell: BellState;
  onAlert(): void;
  onNew(template?: Template): void;
  onEdit(id: number): void;
  onIndicators(): void;
  onColumn(): void;
};

function ScanBar(props: ScanBarProps): ReactNode {
  const { count, isWaiting, bell, onAlert, onNew, onEdit } = props;
  const scan = activeScan.value;
  const select = useRef<HTMLSelectElement>(null);
  return (
    <div className="scan-bar cluster" role="toolbar" aria-label="Saved scans">
      <ScanSelect selectRef={select} onTemplate={onNew} />
      <ToolbarButton
        label="New scan"
        icon={<PlusIcon size={15} />}
        disabled={scans.value === null}
        onClick={() => onNew()}
      />
      {scan && (
        <>
          <ToolbarButton label="Edit" icon={<PencilIcon size={14} />} onClick={() => onEdit(scan.id)} />
          <AlertBell state={bell} onAlert={onAlert} />
        </>
      )}
      <MoreActions {...props} scan={scan} onDeleted={() => select.current?.focus()} />
      {count !== null && (
        <span className="scan-count flex-none table-text">
          {count}
          {isWaiting && <span className="muted">, waiting for values</span>}
        </span>
      )}
    </div>
  );
}

const ALL_STOCKS = '';

type ScanSelectProps = {
  selectRef: RefObject<HTMLSelectElement | null>;
  onTemplate(template: Template): void;
};

/** Chooses a saved scan. Templates are offered until there is one. */
function ScanSelect({ selectRef, onTemplate }: ScanSelectProps): ReactNode {
  const list = scans.value;
  const scan = activeScan.value;
  const choose = (value: string) => {
    const template = TEMPLATES.find(({ name }) => name === value);
    if (template) onTemplate(template);
    else activateScan(value === ALL_STOCKS ? null : Number(value));
  };
  return (
    <>
      <span className="scan-label flex-none muted table-text" aria-hidden="true">
        Scan
      </span>
      <select
        ref={selectRef}
        aria-label="Scan"
        className="input is-small scan-select"
        title={scan?.name}
        value={scan ? String(scan.id) : ALL_STOCKS}
        disabled={list === null}
        onChange={({ target }) => choose(target.value)}
      >
        <option value={ALL_STOCKS}>All stocks</option>
        {list?.map((saved) => (
          <option key={saved.id} value={String(saved.id)}>
            {saved.name}
          </option>
        ))}
        {list?.length === 0 && (
          <optgroup label="Start with">
            {TEMPLATES.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </optgroup>
        )}
      </select>
    </>
  );
}

type MoreActionsProps = Pick<ScanBarProps, 'onIndicators' | 'onColumn'> & {
  scan: ScanView | null;
  onDeleted(): void;
};

/** The rare actions, in a menu. */
function MoreActions({ scan, onIndicators, onColumn, onDeleted }: MoreActionsProps): ReactNode {
  const { anchor, open, close } = useAnchor();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <ToolbarButton
        isTerse
        label="Scan menu"
        icon={<EllipsisIcon size={15} />}
        disabled={scans.value === null}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={open}
      />
      {anchor && (
        <ScanMenu
          anchor={anchor}
          indicators={selectedIndicators.value.length}
          onDuplicate={scan && (() => void duplicateScan(scan))}
          onDelete={scan && (() => setDeleting(true))}
          onIndicators={onIndicators}
          onColumn={onColumn}
          onClose={close}
        />
      )}
      {scan && isDeleting && (
        <DeleteDialog scan={scan} onAnswered={() => setDeleting(false)} onDeleted={onDeleted} />
      )}
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
const ScanMenu = late(() => import('../parts/lateMenus.ts').then((code) => code.ScanMenu));
const AddColumn = late(() => import('../parts/ColumnMenu.tsx').then((code) => code.AddColumn));
const IndicatorsDialog = late(() => import('./IndicatorsDialog.tsx').then((code) => code.IndicatorsDialog));

type OpenDialog =
  | { kind: 'editor'; id: number | null; template?: Template }
  | { kind: 'indicators' | 'column' }
  | null;

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
  const edit = (id: number | null, template?: Template) =>
    setDialog({ kind: 'editor', id, ...(template && { template }) });
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
            onNew={(template) => edit(null, template)}
            onEdit={edit}
            onIndicators={chooseIndicators}
            onColumn={() => setDialog({ kind: 'column' })}
          />
        ),
        note: logic && <ScanWords logic={logic} lists={scan?.lists ?? null} catalog={catalog} />,
      })}
      banners={(filtered) => (
        <>
          <ScanBanners lists={lists} />
          {props.banners}
          <Dialogs filtered={filtered} dialog={dialog} onClose={() => setDialog(null)} />
        </>
      )}
    />
  );
}

const hasCrossing = (logic: Logic): boolean => conditionsOf(logic).some(({ op }) => op.startsWith('crosses'));

type DialogsProps = { filtered: Filtered; dialog: OpenDialog; onClose(): void };

function Dialogs({ filtered, dialog, onClose }: DialogsProps): ReactNode {
  return (
    <>
      {dialog?.kind === 'editor' && (
        <ScanEditor {...filtered} id={dialog.id} template={dialog.template} onClose={onClose} />
      )}
      {dialog?.kind === 'indicators' && <IndicatorsDialog onClose={onClose} />}
      {dialog?.kind === 'column' && <AddColumn scanner="custom" onClose={onClose} />}
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

import type { ReadonlySignal } from '@preact/signals-react';
import {
  type ComponentProps,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react';
import type { Stock } from '#market/rules/stock.ts';
import type { QuoteLink } from '#market/rules/quoteSite.ts';
import type { Column } from '#market/scanners/rules/columns.ts';
import {
  countFilters,
  type FilterList,
  isSameFilters,
  keptFilters,
  OPEN_FILTERS,
  type ScannerFilters,
  usualFilters,
} from '#market/scanners/rules/filters.ts';
import { type ScannerKey, SCANNERS, type Sort } from '#market/scanners/rules/scanners.ts';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { StockScan } from '#subjects/alerts/answers/scanAlert.ts';
import type { ScanRef } from '#subjects/conditions/rules/operand.ts';
import { meta as liveMeta } from '#web/live/market.ts';
import { type MarketView, leaveView } from '#web/shared/scannerRequests.ts';
import type { Connection, MarketMeta } from '#web/live/stream/protocol.ts';
import { useWatch } from '#web/live/useWatch.tsx';
import { STREAM_FAILED, useStreamFailure } from '#web/live/useStreamFailure.ts';
import { ScanAlertDialog } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import type { ColumnActions } from '#ui/table/columnActions.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { useFilterKey } from '#ui/useFilterKey.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import type { ExportedTables } from './parts/MoreMenu.tsx';
import type { BellState } from './parts/ToolbarButton.tsx';
import { FilterBar } from './parts/FilterBar.tsx';
import { ScannerTables } from './parts/ScannerTables.tsx';
import './scanners.css';
import { useScannerColumns } from './tableColumns.tsx';
import {
  useScannerFilters,
  useScannerPreferences,
  viewLabel,
  type ScannerPreferences,
} from './scannerPreferences.ts';
import { useListed, useViewAlerts } from './listsAndAlerts.ts';
import { useScannerRows } from './useScannerRows.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import type { Breadth, PriceRanges } from '#market/rules/breadth.ts';
import { marketEpoch } from '#web/live/marketEpoch.ts';
import { useActions } from '#web/shared/actions.ts';
import { late } from '#web/shared/lateStyles.ts';
import { defaultEntries } from '#market/scanners/rules/columnList.ts';
import { settings } from '#web/shared/settings.ts';
import { useNewest } from '#web/shared/useLoaded.ts';
import { layoutError } from './shared/columnSettings.ts';

function LayoutError(): ReactNode {
  if (layoutError.value === null) return null;
  const dismiss = () => {
    layoutError.value = null;
  };
  return <Banner onDismiss={dismiss}>{layoutError.value}</Banner>;
}

const ColumnMenu = late(() => import('./parts/ColumnMenu.tsx').then((code) => code.ColumnMenu));

/** Loaded with the first change of a column. */
const loadEdits = () => import('./shared/columns/layouts.ts');

function useColumnActions(
  scanner: ScannerKey,
  onConfigure: () => void,
): { actions: ColumnActions | undefined; parts: ReactNode } {
  const [menu, setMenu] = useState<{ id: string; heading: HTMLElement } | null>(null);
  const [status, setStatus] = useState('');
  const hasSettings = settings.value !== null;
  const saved = settings.value?.columnPreferences[scanner];
  const actions = useMemo((): ColumnActions | undefined => {
    if (!hasSettings) return undefined;
    // Columns that a scan adds are not part of the layout.
    const own = new Set((saved ?? defaultEntries(scanner)).map(({ id }) => id));
    return {
      canChange: (id) => own.has(id),
      canMove: (id) => own.has(id) && id !== 'name',
      resize: (id, width) => void loadEdits().then((edits) => edits.resizeColumnOf(scanner, id, width)),
      move: (id, overId) =>
        void loadEdits().then((edits) => setStatus(edits.placeColumn(scanner, id, overId))),
      openMenu: (id, heading) => setMenu({ id, heading }),
    };
  }, [scanner, saved, hasSettings]);
  const parts = (
    <>
      <LayoutError />
      <p className="visually-hidden" aria-live="polite">
        {status}
      </p>
      {menu && (
        <ColumnMenu scanner={scanner} {...menu} onConfigure={onConfigure} onClose={() => setMenu(null)} />
      )}
    </>
  );
  return { actions, parts };
}

const BY_CHANGE: Sort = { id: 'change_percent', desc: true };

type Changes = {
  change(preferences: Partial<ScannerPreferences>): void;
  setFilters(filters: ScannerFilters): void;
};

function useScannerActions(
  { scanner, onConfigure }: Pick<ScannerScreenProps, 'scanner' | 'onConfigure'>,
  filters: ScannerFilters,
  columns: readonly { id: string }[],
  { change, setFilters }: Changes,
): void {
  const hasFilters = countFilters(filters) > 0 || filters.text !== '';
  const sortsByChange =
    SCANNERS[scanner].metric.id === 'pips' && columns.some(({ id }) => id === BY_CHANGE.id);
  useActions([
    { label: 'Configure Columns', words: 'layout', run: onConfigure },
    ...(sortsByChange
      ? [{ label: 'Sort by Change', words: 'order percent', run: () => change({ sort: BY_CHANGE }) }]
      : []),
    ...(hasFilters
      ? [{ label: 'Clear the filters', words: 'reset show all', run: () => setFilters(OPEN_FILTERS) }]
      : []),
  ]);
}

type ViewBarProps = {
  view: MarketView;
  /** Gets the focus when the view ends, because its button disappears. */
  textRef: RefObject<HTMLInputElement | null>;
};

function ViewBar({ view, textRef }: ViewBarProps): ReactNode {
  const leave = () => {
    leaveView();
    textRef.current?.focus();
  };
  return (
    <div className="view-bar bar" role="status">
      <p>
        <strong>{viewLabel(view)}</strong> from the market overview.{' '}
        <span className="muted">Your own scan, filters and columns stay as they are.</span>
      </p>
      <Button onClick={leave}>Back to my scanner</Button>
    </div>
  );
}

/** Ranges of the daily bars, loaded if a filter needs new highs or lows; null while unknown. */
function useRanges(side: Breadth | undefined): PriceRanges | null {
  const [known, setKnown] = useState<{ epoch: string | null; ranges: PriceRanges } | null>(null);
  const isNeeded = side === 'newHighs' || side === 'newLows';
  const epoch = isNeeded ? marketEpoch.value : null;
  useEffect(() => {
    if (!isNeeded || epoch === null) return;
    let isWanted = true;
    import('#subjects/marketOverview/web/shared/late.ts')
      .then(({ loadRanges }) => loadRanges())
      .then(
        (ranges) => isWanted && setKnown({ epoch, ranges }),
        // Without ranges, stocks whose source states a range still appear.
        (problem: unknown) => console.warn('The daily bar ranges could not be loaded.', problem),
      );
    return () => {
      isWanted = false;
    };
  }, [isNeeded, epoch]);
  return known !== null && known.epoch === epoch ? known.ranges : null;
}

function StreamFailed({ onRetry }: { onRetry(): void }): ReactNode {
  return (
    <div role="alert">
      <EmptyState
        action={
          <Button variant="primary" onClick={onRetry}>
            Retry
          </Button>
        }
      >
        {STREAM_FAILED}
      </EmptyState>
    </div>
  );
}

const NOTHING = {};
const NO_COLUMNS: readonly Column[] = [];

const HistoryPanel = late(() => import('./history/HistoryPanel.tsx').then((code) => code.HistoryPanel));

/** The filters in use. `today` is the Sydney date; `shown` is the number of rows left. */
export type Filtered = {
  filters: ScannerFilters;
  today: string;
  shown: number;
  bell: BellState;
  onAlert(): void;
  onSort(sort: Sort): void;
  /** What an alert on a saved scan watches with these filters. */
  watch(saved: ScanRef): StockScan | null;
};

/** Controls and a text after the title. */
type Heading = Partial<Pick<ComponentProps<typeof ScannerTables>, 'tools' | 'note'>>;

export type ScannerScreenProps = {
  scanner: ScannerKey;
  /** All stocks, or at least the scanner's. */
  stocks: ReadonlySignal<ReadonlyMap<string, Stock>>;
  /** Whether `stocks` already belong to this scanner; default true. */
  hasStocks?: boolean;
  /** Null before the first snapshot. */
  meta: Pick<MarketMeta, 'dateToday' | 'flags'> | null;
  /** Phase of the session. When it changes, rows change immediately and are not held for a while. */
  phase?: string;
  connection: Connection;
  quoteLink: QuoteLink;
  /** The market's clock, epoch ms; without it there is no note about the open. */
  clock?(): number;
  /** Saved layout; undefined for the default one. */
  layout?: unknown;
  moreColumns?: readonly Column[];
  /** Codes of stocks that match a scan; null for all. */
  matches?: ReadonlySet<string> | null;
  savedScan?: ScanRef | null;
  /** Identifies the scan. When it changes, rows change immediately and are not held for a while. */
  scope?: string;
  /** A market view that temporarily replaces the user's own choices. */
  view?: MarketView | null;
  emptyNote?: string | null;
  onConfigure(): void;
  /** Null if this window is already a popup. */
  onPopOut: (() => void) | null;
  onRetry(): void;
  /** The content next to the title; receives the filtered table. */
  heading?(filtered: Filtered): Heading;
  /** Shown between the filter bar and the table. */
  banners?: ReactNode | ((filtered: Filtered) => ReactNode);
};

function useScanner(props: ScannerScreenProps) {
  const { scanner, stocks, meta, layout, quoteLink, matches = null, view = null } = props;
  const { moreColumns = NO_COLUMNS } = props;
  const [preferences, change] = useScannerPreferences(scanner, view);
  const { filters: own, setFilters, requestedCode } = useScannerFilters(scanner, preferences, change);
  const lists = useListed(own.lists);
  const filters = useMemo(
    () => ({
      ...own,
      ...(own.lists !== undefined && { listed: lists.listed ?? undefined }),
      ...(view && { side: view.side, sector: view.sector }),
    }),
    [own, lists.listed, view],
  );
  // Normally a scanner only watches gaps up, so filtering gaps down requires the whole market.
  const hasAll = useWatch(filters.gaps === undefined ? NOTHING : { all: true });
  const awaitsGaps = filters.gaps !== undefined && !hasAll && liveMeta.peek() !== null;
  const awaitsLists = own.lists !== undefined && lists.listed === null && lists.error === null;
  const isNarrow = useWidthQuery('phone');
  const today = meta?.dateToday ?? '';
  const ignoreStatus = meta?.flags.ignoreStatus ?? false;
  const ranges = useRanges(filters.side);
  const shown = { scanner, stocks, filters, matches, requestedCode, ignoreStatus, today };
  const found = useScannerRows({ ...shown, ranges });
  const columns = useScannerColumns({
    scanner,
    layout,
    moreColumns,
    view,
    isNarrow,
    quoteLink,
    today,
  });
  useScannerActions(props, filters, columns, { change, setFilters });
  return {
    preferences,
    change,
    filters,
    setFilters,
    requestedCode,
    isNarrow,
    today,
    found,
    columns,
    lists,
    isLoading: meta === null || !(props.hasStocks ?? true) || awaitsGaps || awaitsLists,
    epoch: `${props.phase ?? ''} ${props.scope ?? ''} ${today} ${ignoreStatus}`,
  };
}

/** The screen of a scanner. Mount it again (by key) for another scanner. */
export function ScannerScreen(props: ScannerScreenProps): ReactNode {
  const { scanner, meta, banners } = props;
  const shown = useScanner(props);
  const { filters, setFilters, isNarrow, today, found } = shown;
  const textRef = useRef<HTMLInputElement>(null);
  useFilterKey(textRef);
  const { actions: columnActions, parts } = useColumnActions(scanner, props.onConfigure);
  const { hasFailed, retry } = useStreamFailure(meta === null, props.connection, props.onRetry);
  const [isPast, setPast] = useState(false);
  const scan = watchedScan(scanner, props.savedScan ?? null, filters, shown.lists.named);
  const { alerts, state: bell } = useViewAlerts(meta === null ? null : scan);
  const panels = useShownPanels(alerts);
  const newestScan = useNewest(scan);
  const tables = useRef<ExportedTables>(new Map());
  const filtered = {
    filters,
    today,
    shown: found.rows.peek().length,
    bell,
    onAlert: panels.startAlert,
    onSort: (sort: Sort) => shown.change({ sort }),
    watch: (saved: ScanRef) => watchedScan(scanner, saved, filters, shown.lists.named),
  };
  return (
    <div className="scanner">
      <FilterBar
        filters={filters}
        listsLabel={shown.lists.label}
        onChange={setFilters}
        hasPriceGroup={scanner === 'preMarket'}
        sliderMax={found.sliderMax}
        textRef={textRef}
        onConfigure={props.onConfigure}
        onAlert={scanner === 'custom' ? null : panels.startAlert}
        bell={bell}
        onHistory={scanner === 'custom' ? null : panels.toggleHistory}
        isHistoryOpen={panels.hasHistory}
        scan={newestScan}
        onPopOut={props.onPopOut}
        isNarrow={isNarrow}
        tables={tables}
      />
      {props.view && <ViewBar view={props.view} textRef={textRef} />}
      {typeof banners === 'function' ? banners(filtered) : banners}
      {parts}
      {shown.lists.error !== null && (
        <Banner action={<Button onClick={() => void shown.lists.reload()}>Retry</Button>}>
          {shown.lists.error}
        </Banner>
      )}
      {panelsOf(props, shown, { ...panels, scan, ofView: alerts.length, tables }, setPast)}
      {isPast ? null : hasFailed ? (
        <StreamFailed onRetry={retry} />
      ) : (
        tablesOf(props, shown, { columnActions, tables, ...props.heading?.(filtered) })
      )}
    </div>
  );
}

function tablesOf(
  props: ScannerScreenProps,
  shown: ReturnType<typeof useScanner>,
  parts: Pick<ComponentProps<typeof ScannerTables>, 'columnActions' | 'tables'> & Heading,
): ReactNode {
  const { found, today, requestedCode } = shown;
  return (
    <ScannerTables
      scanner={props.scanner}
      found={found}
      {...parts}
      today={today}
      requestedCode={requestedCode}
      columns={shown.columns}
      preferences={shown.preferences}
      onPreferences={shown.change}
      resetKey={`${JSON.stringify(shown.filters)} ${requestedCode}`}
      epoch={shown.epoch}
      isLoading={shown.isLoading}
      emptyNote={props.emptyNote ?? null}
      stocks={props.stocks}
      clock={props.meta === null ? null : (props.clock ?? null)}
      isPopup={props.onPopOut === null}
      leavesAtOnce={props.view != null}
    />
  );
}

/** What an alert on this view watches; null for the custom scanner without a saved scan. */
function watchedScan(
  key: ScannerKey,
  saved: ScanRef | null,
  filters: ScannerFilters,
  named: readonly FilterList[],
): StockScan | null {
  const own = keptFilters(filters, named);
  const kept = isSameFilters(own, usualFilters(key)) ? {} : { filters: own };
  if (key !== 'custom') return { type: 'scanner', key, ...kept };
  return saved && { ...saved, ...kept };
}

function panelsOf(
  { scanner, quoteLink }: ScannerScreenProps,
  { filters, isNarrow, today, found }: ReturnType<typeof useScanner>,
  panels: ReturnType<typeof useShownPanels> & {
    scan: StockScan | null;
    ofView: number;
    tables: RefObject<ExportedTables>;
  },
  setPast: (isPast: boolean) => void,
): ReactNode {
  return (
    <>
      {panels.opened && panels.scan && (
        <ScanAlertDialog
          key={panels.opened.alert?.id}
          alert={panels.opened.alert}
          scan={panels.scan}
          matching={found.rows}
          ofView={panels.ofView}
          onAnother={panels.addAlert}
          onClose={panels.endAlert}
        />
      )}
      {panels.hasHistory && today !== '' && (
        <HistoryPanel
          exported={panels.tables}
          scanner={scanner}
          filters={filters}
          isNarrow={isNarrow}
          quoteLink={quoteLink}
          today={today}
          onPast={setPast}
        />
      )}
    </>
  );
}

function useShownPanels(alerts: readonly ScanAlertView[]) {
  const [hasHistory, setHistory] = useState(false);
  // The alert when the dialog opened; its version detects a newer change.
  const [opened, setOpened] = useState<{ alert: ScanAlertView | null } | null>(null);
  const first = useRef<ScanAlertView | null>(null);
  useEffect(() => {
    first.current = alerts[0] ?? null;
  });
  const startAlert = useCallback(() => setOpened({ alert: first.current }), []);
  const addAlert = useCallback(() => setOpened({ alert: null }), []);
  const endAlert = useCallback(() => setOpened(null), []);
  const toggleHistory = useCallback(() => setHistory((before) => !before), []);
  return { hasHistory, opened, startAlert, addAlert, endAlert, toggleHistory };
}

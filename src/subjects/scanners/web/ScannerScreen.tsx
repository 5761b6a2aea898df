import type { ReadonlySignal } from '@preact/signals-react';
import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from 'react';
import type { Stock } from '../../../market/rules/stock.ts';
import type { QuoteLink } from '../../../market/rules/quoteLink.ts';
import type { Column } from '../rules/columns.ts';
import { countFilters, OPEN_FILTERS, type ScannerFilters } from '../rules/filters.ts';
import { SCANNERS, type ScannerKey, type Sort } from '../rules/scanners.ts';
import { SORT_BY_CHANGE, useActions } from '../../../../web/shared/actions.ts';
import { withStyles } from '../../../../web/shared/lateStyles.ts';
import { meta as liveMeta } from '../../../../web/live/market.ts';
import type { Connection, MarketMeta } from '../../../../web/live/stream/protocol.ts';
import { useWatch } from '../../../../web/live/useWatch.ts';
import { useStreamFailure } from '../../../../web/live/useStreamFailure.ts';
import { ScanAlertDialog } from '../../alerts/web/shared/scanAlerts/lateScanAlertDialog.ts';
import { useFilterKey } from '../../../../web/ui/useFilterKey.ts';
import { useWidthQuery } from '../../../../web/ui/useWidthQuery.ts';
import { FilterBar } from './parts/FilterBar.tsx';
import { ScannerTables } from './parts/ScannerTables.tsx';
import { StreamFailed } from './parts/StreamFailed.tsx';
import './ScannerScreen.css';
import { useColumnActions } from './columns/useColumnActions.tsx';
import { useScannerColumns } from './useScannerColumns.ts';
import { useScannerFilters } from './useScannerFilters.ts';
import { useScannerPreferences } from './useScannerPreferences.ts';
import { useScannerRows } from './useScannerRows.ts';

const BY_CHANGE: Sort = { id: 'change_percent', desc: true };

const NOTHING = {};
const NO_COLUMNS: readonly Column[] = [];

const TapePanel = lazy(() =>
  withStyles(import('./tape/TapePanel.tsx')).then((code) => ({ default: code.TapePanel })),
);

/** The filters in force, the Sydney date that they take for today, and how many rows they leave. */
export type Filtered = { filters: ScannerFilters; today: string; shown: number };

export type ScannerScreenProps = {
  scanner: ScannerKey;
  /** At least those that belong to the scanner. */
  stocks: ReadonlySignal<ReadonlyMap<string, Stock>>;
  /** Whether `stocks` are those of this scanner already; true when left out. */
  hasStocks?: boolean;
  /** Null before the first snapshot. */
  meta: Pick<MarketMeta, 'dateToday' | 'flags'> | null;
  /** Of the market's session: another one is shown at once, and for a while nothing is held. */
  phase?: string;
  connection: Connection;
  quoteLink: QuoteLink;
  /** The market's clock, epoch ms; without it nothing is said of the opening. */
  clock?(): number;
  /** The user's layout of this table; undefined shows the default one. */
  layout?: unknown;
  /** Columns after those of the layout. */
  moreColumns?: readonly Column[];
  /** The codes that a scan lets through; null lets all through. */
  matches?: ReadonlySet<string> | null;
  /** Identifies that scan: another one is shown at once, and for a while nothing is held. */
  scope?: string;
  /** What the empty table says besides. */
  emptyNote?: string | null;
  onConfigure(): void;
  /** Null in a window that is a popup already. */
  onPopOut: (() => void) | null;
  onRetry(): void;
  /** Between filter bar and table: further bars and banners, which may say what the filters leave. */
  notices?: ReactNode | ((filtered: Filtered) => ReactNode);
};

/** One scanner: its filters and its tables. Mount it anew (by key) for another scanner. */
export function ScannerScreen(props: ScannerScreenProps): ReactNode {
  const {
    scanner,
    stocks,
    meta,
    layout,
    quoteLink,
    matches = null,
    moreColumns = NO_COLUMNS,
    hasStocks = true,
    notices,
  } = props;
  const [preferences, change] = useScannerPreferences(scanner);
  const { filters, setFilters, requestedCode } = useScannerFilters(scanner, preferences, change);
  // A scanner's watch is of its gaps up.
  const hasAll = useWatch(filters.gaps === undefined ? NOTHING : { all: true });
  const awaitsGaps = filters.gaps !== undefined && !hasAll && liveMeta.peek() !== null;
  const isNarrow = useWidthQuery('phone');
  const textRef = useRef<HTMLInputElement>(null);
  useFilterKey(textRef);
  const today = meta?.dateToday ?? '';
  const ignoreStatus = meta?.flags.ignoreStatus ?? false;
  const found = useScannerRows({
    scanner,
    stocks,
    filters,
    matches,
    requestedCode,
    ignoreStatus,
    today,
  });
  const columns = useScannerColumns({ scanner, layout, moreColumns, isNarrow, quoteLink, today });
  const { actions: columnActions, parts } = useColumnActions(scanner, props.onConfigure);
  const { hasFailed, retry } = useStreamFailure(meta === null, props.connection, props.onRetry);

  const [hasTape, setTape] = useState(false);
  const [isPast, setPast] = useState(false);
  const [hasAlert, setAlert] = useState(false);
  const startAlert = useCallback(() => setAlert(true), []);
  const toggleTape = useCallback(() => setTape((before) => !before), []);

  const hasFilters = countFilters(filters) > 0 || filters.text !== '';
  const sortsByChange =
    SCANNERS[scanner].metric.id === 'pips' && columns.some(({ id }) => id === BY_CHANGE.id);
  useActions([
    { label: 'Configure Columns', words: 'layout', run: props.onConfigure },
    ...(sortsByChange
      ? [{ label: SORT_BY_CHANGE, words: 'order percent', run: () => change({ sort: BY_CHANGE }) }]
      : []),
    ...(hasFilters
      ? [{ label: 'Clear the filters', words: 'reset show all', run: () => setFilters(OPEN_FILTERS) }]
      : []),
  ]);

  return (
    <div className="scanner">
      <FilterBar
        filters={filters}
        onChange={setFilters}
        hasPriceGroup={scanner === 'preMarket'}
        sliderMax={found.sliderMax}
        textRef={textRef}
        onConfigure={props.onConfigure}
        onAlert={scanner === 'custom' ? null : startAlert}
        onTape={scanner === 'custom' ? null : toggleTape}
        isTapeOpen={hasTape}
        onPopOut={props.onPopOut}
        isNarrow={isNarrow}
      />
      {typeof notices === 'function' ? notices({ filters, today, shown: found.rows.peek().length }) : notices}
      {parts}
      {hasAlert && scanner !== 'custom' && (
        <Suspense fallback={null}>
          <ScanAlertDialog
            alert={null}
            scan={{ type: 'scanner', key: scanner }}
            onClose={() => setAlert(false)}
          />
        </Suspense>
      )}
      {hasTape && today !== '' && (
        <Suspense fallback={null}>
          <TapePanel {...{ scanner, filters, isNarrow, quoteLink, today }} onPast={setPast} />
        </Suspense>
      )}
      {isPast ? null : hasFailed ? (
        <StreamFailed onRetry={retry} />
      ) : (
        <ScannerTables
          scanner={scanner}
          found={found}
          columns={columns}
          columnActions={columnActions}
          preferences={preferences}
          onPreferences={change}
          resetKey={`${JSON.stringify(filters)} ${requestedCode}`}
          epoch={`${props.phase ?? ''} ${props.scope ?? ''} ${today} ${ignoreStatus}`}
          today={today}
          isLoading={meta === null || !hasStocks || awaitsGaps}
          emptyNote={props.emptyNote ?? null}
          requestedCode={requestedCode}
          stocks={stocks}
          clock={meta === null ? null : (props.clock ?? null)}
          isPopup={props.onPopOut === null}
        />
      )}
    </div>
  );
}

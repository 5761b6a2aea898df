import { type ReactNode, useState, memo } from 'react';
import { FeedPill } from '#web/live/FeedPill.tsx';
import { meta, retryLive, streamState } from '#web/live/market.ts';
import { STREAM_FAILED, useStreamFailure } from '#web/live/useStreamFailure.ts';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { Toggle } from '#ui/Field.tsx';
import { Segments } from '#ui/Segments.tsx';
import { SECURITIES, type Securities } from '#market/rules/stockState.ts';
import { hideSummaryBar, isSummaryBarHidden } from './shared/summaryBarChoice.ts';
import { type Overview, useOverview } from './useOverview.ts';
import './overview.css';
import { readText } from '#lib/read.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { DASH, formatDate, formatNumber } from '#texts/format.ts';
import { type Breadth, UNUSUAL_VOLUME } from '#market/rules/breadth.ts';
import { SIDE_LABELS } from '#market/scanners/rules/filters.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { type Direction, Trend } from '#ui/Trend.tsx';
import type { Totals, SectorFigures } from '../rules/totals.ts';
import { moneyText, rangeText, usualText, changeText, type Way, wayOf } from '../rules/overviewText.ts';
import { showStock } from '#web/windows/stockPane.ts';
import { showInScanner } from './showInScanner.ts';
import { sourceName } from '#web/live/staleness.ts';
import { OvernightLine } from './shared/OvernightLine.tsx';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { ExportButton } from '#web/shared/export/ExportButton.tsx';
import type { ExportedColumn } from '#ui/table/tableModel.ts';
import type { OverviewFigures } from '../rules/aggregator.ts';
import { SectorMap, type SectorLabels, sectorLabels, SectorTable } from './sectors.tsx';
import { BUSIEST, type BusyStock } from '../rules/lists.ts';

type UnusualVolumeProps = { busiest: readonly BusyStock[]; securities: Securities | undefined };

function UnusualVolume({ busiest, securities }: UnusualVolumeProps): ReactNode {
  return (
    <section className="market-busy stack gap-2 min-w-0" aria-labelledby="market-busy">
      <header className="row gap-2-3">
        <h2 id="market-busy">Unusual volume</h2>
        <Button
          className="push"
          disabled={busiest.length === 0}
          onClick={() => showInScanner({ side: 'unusualVolume' }, securities)}
        >
          Show all in the scanner
        </Button>
      </header>
      {busiest.length === 0 ? (
        <p className="muted small">No stock has {UNUSUAL_VOLUME} times its usual volume.</p>
      ) : (
        <table className="market-table">
          <caption className="visually-hidden">The {BUSIEST} stocks of the highest relative volume</caption>
          <thead>
            <tr>
              <th scope="col">Stock</th>
              <th scope="col">Rel Vol</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {busiest.map((stock) => (
              <Row key={stock.code} {...textsOf(stock)} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

type RowProps = { code: string; name: string; volume: string; change: string; way: Way };

const textsOf = ({ code, name, relativeVolume, change }: BusyStock): RowProps => ({
  code,
  name,
  volume: formatNumber(relativeVolume, 2),
  change: changeText(change),
  way: wayOf(change),
});

/** Memoized by its texts, so that equal rows are not drawn again. */
const Row = memo(function Row({ code, name, volume, change, way }: RowProps): ReactNode {
  return (
    <tr>
      <th scope="row">
        <button type="button" className="market-stock ellipsis" title={name} onClick={() => showStock(code)}>
          <b>{code}</b> <span className="muted small">{name}</span>
        </button>
      </th>
      <td>{volume}</td>
      <td>
        <Trend direction={way}>{change}</Trend>
      </td>
    </tr>
  );
});

type SectorsProps = {
  map: NonNullable<OverviewFigures['map']>;
  byMatchPrice: boolean;
  securities: Securities | undefined;
};
type View = 'map' | 'table';

const VIEWS: readonly { id: View; label: string }[] = [
  { id: 'map', label: 'Map' },
  { id: 'table', label: 'Table' },
];

/** Columns to export, with unformatted numbers in percent and AUD. */
const exportedColumns = (labels: SectorLabels): readonly ExportedColumn<SectorFigures>[] => [
  { label: 'Sector', value: ({ name }) => name },
  { label: 'Change %', value: ({ change }) => change },
  { label: labels.up, value: ({ advancers }) => advancers },
  { label: labels.down, value: ({ decliners }) => decliners },
  { label: 'Market Cap', value: ({ marketCap }) => marketCap },
  { label: labels.value, value: ({ value }) => value },
];

/** The sectors as a map or a table; phones have no room for the map. */
function Sectors({ map, byMatchPrice, securities }: SectorsProps): ReactNode {
  const labels = sectorLabels(byMatchPrice);
  const [view, setView] = useState<View>('map');
  const isPhone = useWidthQuery('phone');
  const show = (sector: string) => showInScanner({ sector }, securities);
  const hasMap = !isPhone && map.sectors.some(({ marketCap }) => marketCap > 0);
  const source = sourceName(meta.value?.feed?.name ?? '');
  return (
    <section className="stack gap-2 min-w-0" aria-labelledby="market-sectors">
      <header className="row gap-2-3">
        <h2 id="market-sectors">Sectors</h2>
        {map.sectors.length > 0 && (
          <span className="muted small">
            {formatNumber(map.sectors.length, 0)}, named by {source}
            {byMatchPrice && ', change by match price'}
          </span>
        )}
        {map.sectors.length > 0 && (
          <ExportButton label="Sectors" columns={exportedColumns(labels)} rows={() => map.sectors} />
        )}
        {hasMap && (
          <Segments label="Show the sectors as" segments={VIEWS} chosen={view} onChoose={setView} isPushed />
        )}
      </header>
      {map.sectors.length === 0 ? (
        <p className="muted small">The price source has no sectors.</p>
      ) : hasMap && view === 'map' ? (
        <SectorMap map={map} onShow={show} />
      ) : (
        <SectorTable map={map} labels={labels} onShow={show} />
      )}
    </section>
  );
}

type OverviewProps = { overview: Overview; securities: Securities | undefined };

/** The overview. Until the market is complete it shows placeholders, because partial figures would be wrong. */
function Overview({ overview, securities }: OverviewProps): ReactNode {
  const isKnown = overview.isSettled;
  const totals = isKnown ? overview.totals.value : null;
  const map = isKnown ? overview.map.value : null;
  if (totals !== null && totals.stocks === 0) {
    return <EmptyState detail={formatDate(meta.value?.dateToday ?? '')}>No stocks yet.</EmptyState>;
  }
  return (
    <>
      {overview.problem !== null && (
        <Banner variant="warn" action={<Button onClick={overview.reload}>Retry</Button>}>
          {overview.problem}
        </Banner>
      )}
      <OvernightLine />
      <Figures totals={totals} overview={overview} securities={securities} />
      {map === null ? (
        <div className="market-waiting">
          <SkeletonRows rows={12} label="Loading the market…" />
        </div>
      ) : (
        <div className="market-columns">
          <Sectors map={map} byMatchPrice={overview.byMatchPrice.value} securities={securities} />
          <UnusualVolume busiest={map.busiest} securities={securities} />
        </div>
      )}
    </>
  );
}

type FiguresProps = OverviewProps & {
  /** Null while unknown. */
  totals: Totals | null;
};

function Figures({ totals, overview, securities }: FiguresProps): ReactNode {
  const show = (side: Breadth) => showInScanner({ side }, securities);
  const byMatchPrice = overview.byMatchPrice.value;
  const [up, down] = byMatchPrice
    ? (['gappingUp', 'gappingDown'] as const)
    : (['advancers', 'decliners'] as const);
  const ranged = totals !== null && totals.ranged > 0 && !byMatchPrice ? totals : null;
  return (
    <section aria-label="Figures">
      <div className="wrap">
        <Figure
          label={SIDE_LABELS[up]}
          count={totals && totals.advancers}
          direction="up"
          onShow={() => show(up)}
        />
        <Figure
          label={SIDE_LABELS[down]}
          count={totals && totals.decliners}
          direction="down"
          onShow={() => show(down)}
        />
        <Figure label="New highs" count={ranged && ranged.highs} onShow={() => show('newHighs')} />
        <Figure label="New lows" count={ranged && ranged.lows} onShow={() => show('newLows')} />
        <div className="market-figure stack box on-surface pad-2-3">
          <b>{totals ? moneyText(totals.value) : DASH}</b>
          <span>
            {byMatchPrice
              ? 'Match value'
              : `Traded${totals ? suffix(usualText(totals.value, overview.usual())) : ''}`}
          </span>
        </div>
      </div>
      <Balance totals={totals} />
      <p className="market-note muted small">
        {totals &&
          (byMatchPrice
            ? gapNoteText(totals)
            : noteText(totals, overview.problem === null ? overview.since : null))}
      </p>
    </section>
  );
}

const unchangedOf = ({ traded, advancers, decliners }: Totals): number => traded - advancers - decliners;

const gapNoteText = (totals: Totals): string =>
  `Before the open, by match price: ${formatNumber(totals.traded, 0)} of ${formatNumber(totals.stocks, 0)} stocks have one, ` +
  `${formatNumber(unchangedOf(totals), 0)} of them at the previous close.`;

const noteText = (totals: Totals, since: Overview['since']): string =>
  `${formatNumber(totals.traded, 0)} of ${formatNumber(totals.stocks, 0)} traded today, ` +
  `${formatNumber(unchangedOf(totals), 0)} unchanged. ${rangeText(totals, since)}`;

const suffix = (text: string): string => (text === '' ? '' : `, ${text}`);

type FigureProps = {
  label: string;
  /** Null if unknown. */
  count: number | null;
  direction?: Direction;
  onShow(): void;
};

function Figure({ label, count, direction, onShow }: FigureProps): ReactNode {
  const text = formatNumber(count, 0);
  return (
    <button
      type="button"
      className="market-figure stack box on-surface pad-2-3"
      disabled={count === null}
      title="Show these in the scanner"
      onClick={onShow}
    >
      <b>{direction ? <Trend direction={direction}>{text}</Trend> : text}</b>
      <span>{label}</span>
    </button>
  );
}

function Balance({ totals }: { totals: Totals | null }): ReactNode {
  return (
    <div className="market-balance" aria-hidden="true">
      {totals && (
        <>
          <span className="up" style={{ flexGrow: totals.advancers }} />
          <span style={{ flexGrow: unchangedOf(totals) }} />
          <span className="down" style={{ flexGrow: totals.decliners }} />
        </>
      )}
    </div>
  );
}

const KEY = 'bellbird.market.securities';

/** The securities that the page counts, stored in this browser; undefined counts all. */
const keptSecurities = (): Securities | undefined => {
  const kept = readStored(KEY, readText);
  return SECURITIES.find(({ id }) => id !== undefined && id === kept)?.id;
};

export function MarketPage(): ReactNode {
  const [securities, setSecurities] = useState(keptSecurities);
  const overview = useOverview('map', securities);
  const choose = (next: Securities | undefined) => {
    writeStored(KEY, next ?? null);
    setSecurities(next);
  };
  return (
    <div className="page market-page">
      <header className="row gap-2-3">
        <h1>Market</h1>
        <FeedPill />
        <ZoneNote />
        <Segments
          label="Shares or funds"
          segments={SECURITIES}
          chosen={securities}
          onChoose={choose}
          isPushed
        />
      </header>
      <Shown overview={overview} securities={securities} />
    </div>
  );
}

type ShownProps = { overview: Overview; securities: Securities | undefined };

function Shown({ overview, securities }: ShownProps): ReactNode {
  const { hasFailed, retry } = useStreamFailure(meta.value === null, streamState.value, retryLive);
  if (hasFailed) return <Banner action={<Button onClick={retry}>Retry</Button>}>{STREAM_FAILED}</Banner>;
  if (overview.hasFailed.value) {
    return (
      <Banner action={<Button onClick={overview.retry}>Retry</Button>}>
        The market’s figures could not be loaded. Check your connection, then try again.
      </Banner>
    );
  }
  return (
    <>
      <Overview overview={overview} securities={securities} />
      <Toggle
        label="Show these figures on a line above the scanners"
        checked={!isSummaryBarHidden.value}
        onChange={(isOn) => hideSummaryBar(!isOn)}
      />
    </>
  );
}

import { type ReactNode, useState, memo } from 'react';
import { DASH, formatDate, formatNumber } from '#texts/format.ts';
import { type Breadth, UNUSUAL_VOLUME } from '#market/rules/breadth.ts';
import { meta } from '#web/live/market.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { type Direction, Trend } from '#ui/Trend.tsx';
import type { Securities } from '#market/rules/securities.ts';
import type { Totals, SectorFigures } from '../rules/book.ts';
import { moneyText, rangeText, usualText, changeText, type Way, wayOf } from '../rules/glanceText.ts';
import { showInScanner, showStock } from './showInScanner.ts';
import type { Glance } from './useGlance.ts';
import { sourceName } from '#web/live/staleness.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';
import type { TakenColumn } from '#ui/table/types.ts';
import type { GlanceTold } from '../rules/follower.ts';
import { SectorMap } from './map/SectorMap.tsx';
import { SectorTable } from './map/SectorTable.tsx';
import { BUSIEST, type BusyStock } from '../rules/lists.ts';

type UnusualVolumeProps = { busiest: readonly BusyStock[]; securities: Securities | undefined };

/** The stocks whose volume is furthest above what is usual by now; each leads to its row. */
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
              <Row key={stock.code} {...saidOf(stock)} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

type RowProps = { code: string; name: string; volume: string; change: string; way: Way };

const saidOf = ({ code, name, relativeVolume, change }: BusyStock): RowProps => ({
  code,
  name,
  volume: formatNumber(relativeVolume, 2),
  change: changeText(change),
  way: wayOf(change),
});

/** By what it says, so that one which says the same is not drawn again. */
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

type SectorsProps = { map: NonNullable<GlanceTold['map']>; securities: Securities | undefined };
type View = 'map' | 'table';

const VIEWS: readonly { id: View; label: string }[] = [
  { id: 'map', label: 'Map' },
  { id: 'table', label: 'Table' },
];

/** Percent, and AUD, as they are. */
const TAKEN: readonly TakenColumn<SectorFigures>[] = [
  { label: 'Sector', value: ({ name }) => name },
  { label: 'Change %', value: ({ change }) => change },
  { label: 'Advancers', value: ({ advancers }) => advancers },
  { label: 'Decliners', value: ({ decliners }) => decliners },
  { label: 'Market Cap', value: ({ marketCap }) => marketCap },
  { label: 'Traded', value: ({ value }) => value },
];

/** The sectors that the source has, as a map or as a table; on a phone there is no room for a map. */
function Sectors({ map, securities }: SectorsProps): ReactNode {
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
            {formatNumber(map.sectors.length, 0)}, as {source} names them
          </span>
        )}
        {map.sectors.length > 0 && <TakeButton label="Sectors" columns={TAKEN} rows={() => map.sectors} />}
        {hasMap && (
          <fieldset className="segments push">
            <legend className="visually-hidden">Show the sectors as</legend>
            {VIEWS.map(({ id, label }) => (
              <button
                key={id}
                type="button"
                className="tool"
                aria-pressed={view === id}
                onClick={() => setView(id)}
              >
                {label}
              </button>
            ))}
          </fieldset>
        )}
      </header>
      {map.sectors.length === 0 ? (
        <p className="muted small">The price source names no sectors, so there is no map of them.</p>
      ) : hasMap && view === 'map' ? (
        <SectorMap map={map} onShow={show} />
      ) : (
        <SectorTable map={map} onShow={show} />
      )}
    </section>
  );
}

type OverviewProps = { glance: Glance; securities: Securities | undefined };

/**
 * The figures of the market, its sectors, and where volume is unusual. What is pressed is shown in the scanner. Until the market
 * is whole their room is kept: of a part of it the figures would be wrong, and the map another one.
 */
export function Overview({ glance, securities }: OverviewProps): ReactNode {
  const isKnown = glance.isSettled;
  const totals = isKnown ? glance.totals.value : null;
  const map = isKnown ? glance.map.value : null;
  if (totals !== null && totals.stocks === 0) {
    return <EmptyState detail={formatDate(meta.value?.dateToday ?? '')}>No stocks yet.</EmptyState>;
  }
  return (
    <>
      {glance.problem !== null && (
        <Banner variant="warn" action={<Button onClick={glance.reload}>Retry</Button>}>
          {glance.problem}
        </Banner>
      )}
      <Figures totals={totals} glance={glance} securities={securities} />
      {map === null ? (
        <div className="market-waiting">
          <SkeletonRows rows={12} label="Loading the market…" />
        </div>
      ) : (
        <div className="market-columns">
          <Sectors map={map} securities={securities} />
          <UnusualVolume busiest={map.busiest} securities={securities} />
        </div>
      )}
    </>
  );
}

type FiguresProps = OverviewProps & {
  /** Null while they are not known. */
  totals: Totals | null;
};

function Figures({ totals, glance, securities }: FiguresProps): ReactNode {
  const show = (side: Breadth) => showInScanner({ side }, securities);
  const ranged = totals !== null && totals.ranged > 0 ? totals : null;
  return (
    <section aria-label="Figures">
      <div className="wrap">
        <Figure
          label="Advancers"
          count={totals && totals.advancers}
          direction="up"
          onShow={() => show('advancers')}
        />
        <Figure
          label="Decliners"
          count={totals && totals.decliners}
          direction="down"
          onShow={() => show('decliners')}
        />
        <Figure label="New highs" count={ranged && ranged.highs} onShow={() => show('newHighs')} />
        <Figure label="New lows" count={ranged && ranged.lows} onShow={() => show('newLows')} />
        <div className="market-figure stack box on-surface pad-2-3">
          <b>{totals ? moneyText(totals.value) : DASH}</b>
          <span>Traded{totals && suffix(usualText(totals.value, glance.usual()))}</span>
        </div>
      </div>
      <Balance totals={totals} />
      <p className="market-note muted small">
        {totals && noteText(totals, glance.problem === null ? glance.since : null)}
      </p>
    </section>
  );
}

const unchangedOf = ({ traded, advancers, decliners }: Totals): number => traded - advancers - decliners;

const noteText = (totals: Totals, since: Glance['since']): string =>
  `${formatNumber(totals.traded, 0)} of ${formatNumber(totals.stocks, 0)} traded today, ` +
  `${formatNumber(unchangedOf(totals), 0)} unchanged. ${rangeText(totals, since)}`;

const suffix = (text: string): string => (text === '' ? '' : `, ${text}`);

type FigureProps = {
  label: string;
  /** Null where it is not known. */
  count: number | null;
  direction?: Direction;
  onShow(): void;
};

/** A number whose stocks the scanner shows when it is pressed. */
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

/** How the stocks that traded divide, as a bar; the numbers stand above it. */
function Balance({ totals }: { totals: Totals | null }): ReactNode {
  return (
    <div className="market-balance" aria-hidden="true">
      <span className="up" style={{ flexGrow: totals?.advancers ?? 0 }} />
      <span style={{ flexGrow: totals ? unchangedOf(totals) : 1 }} />
      <span className="down" style={{ flexGrow: totals?.decliners ?? 0 }} />
    </div>
  );
}

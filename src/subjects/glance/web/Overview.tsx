import type { ReactNode } from 'react';
import { formatDate, formatNumber } from '../../../texts/format.ts';
import type { Breadth } from '../../../market/rules/breadth.ts';
import { meta } from '../../../../web/live/market.ts';
import { Banner } from '../../../../web/ui/Banner.tsx';
import { Button } from '../../../../web/ui/Button.tsx';
import { EmptyState } from '../../../../web/ui/EmptyState.tsx';
import { SkeletonRows } from '../../../../web/ui/SkeletonRows.tsx';
import { type Direction, Trend } from '../../../../web/ui/Trend.tsx';
import type { Securities } from '../../../market/rules/securities.ts';
import type { Totals } from '../rules/book.ts';
import { moneyText, rangeText, usualText } from '../rules/glanceText.ts';
import { Sectors } from './map/Sectors.tsx';
import { showInScanner } from './showInScanner.ts';
import { UnusualVolume } from './UnusualVolume.tsx';
import type { Glance } from './useGlance.ts';

type OverviewProps = { glance: Glance; securities: Securities | undefined };

/** The figures of the market, its sectors, and where volume is unusual. What is pressed is shown in the scanner. */
export function Overview({ glance, securities }: OverviewProps): ReactNode {
  const totals = glance.totals.value;
  const map = glance.map.value;
  if (totals === null || map === null) return <SkeletonRows rows={8} label="Loading the market…" />;
  if (totals.stocks === 0) {
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
      <div className="market-columns">
        <Sectors map={map} securities={securities} />
        <UnusualVolume busiest={map.busiest} securities={securities} />
      </div>
    </>
  );
}

function Figures({ totals, glance, securities }: OverviewProps & { totals: Totals }): ReactNode {
  const { advancers, decliners, traded, stocks, highs, lows, ranged, value } = totals;
  const show = (side: Breadth) => showInScanner({ side }, securities);
  const unchanged = traded - advancers - decliners;
  return (
    <section aria-label="Figures">
      <div className="market-figures">
        <Figure label="Advancers" count={advancers} direction="up" onShow={() => show('advancers')} />
        <Figure label="Decliners" count={decliners} direction="down" onShow={() => show('decliners')} />
        <Figure label="New highs" count={ranged > 0 ? highs : null} onShow={() => show('newHighs')} />
        <Figure label="New lows" count={ranged > 0 ? lows : null} onShow={() => show('newLows')} />
        <div className="market-figure">
          <span className="market-number">{moneyText(value)}</span>
          <span className="market-label">Traded{suffix(usualText(value, glance.usual()))}</span>
        </div>
      </div>
      <Balance advancers={advancers} decliners={decliners} unchanged={unchanged} />
      <p className="market-note">
        {formatNumber(traded, 0)} of {formatNumber(stocks, 0)} traded today, {formatNumber(unchanged, 0)}{' '}
        unchanged. {rangeText(totals, glance.since)}
      </p>
    </section>
  );
}

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
      className="market-figure"
      disabled={count === null}
      title="Show these in the scanner"
      onClick={onShow}
    >
      <span className="market-number">{direction ? <Trend direction={direction}>{text}</Trend> : text}</span>
      <span className="market-label">{label}</span>
    </button>
  );
}

/** How the stocks that traded divide, as a bar; the numbers stand above it. */
function Balance(props: { advancers: number; decliners: number; unchanged: number }): ReactNode {
  const { advancers, decliners, unchanged } = props;
  return (
    <div className="market-balance" aria-hidden="true">
      <span className="is-up" style={{ flexGrow: advancers }} />
      <span style={{ flexGrow: unchanged }} />
      <span className="is-down" style={{ flexGrow: decliners }} />
    </div>
  );
}

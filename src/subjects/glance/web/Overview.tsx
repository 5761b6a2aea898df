import type { ReactNode } from 'react';
import { DASH, formatDate, formatNumber } from '#texts/format.ts';
import type { Breadth } from '#market/rules/breadth.ts';
import { meta } from '#web/live/market.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { type Direction, Trend } from '#ui/Trend.tsx';
import type { Securities } from '#market/rules/securities.ts';
import type { Totals } from '../rules/book.ts';
import { moneyText, rangeText, usualText } from '../rules/glanceText.ts';
import { Sectors } from './map/Sectors.tsx';
import { showInScanner } from './showInScanner.ts';
import { UnusualVolume } from './UnusualVolume.tsx';
import type { Glance } from './useGlance.ts';

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
      <div className="market-figures">
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
        <div className="market-figure">
          <span className="market-number">{totals ? moneyText(totals.value) : DASH}</span>
          <span className="market-label">
            Traded{totals && suffix(usualText(totals.value, glance.usual()))}
          </span>
        </div>
      </div>
      <Balance totals={totals} />
      <p className="market-note">
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
function Balance({ totals }: { totals: Totals | null }): ReactNode {
  return (
    <div className="market-balance" aria-hidden="true">
      <span className="is-up" style={{ flexGrow: totals?.advancers ?? 0 }} />
      <span style={{ flexGrow: totals ? unchangedOf(totals) : 1 }} />
      <span className="is-down" style={{ flexGrow: totals?.decliners ?? 0 }} />
    </div>
  );
}

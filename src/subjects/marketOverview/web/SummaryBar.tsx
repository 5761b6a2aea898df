import XIcon from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { formatNumber } from '#texts/format.ts';
import { isPopup } from '#web/windows/popup.ts';
import { MARKET_PATH } from '#web/router/routes.ts';
import { showBriefly } from '#web/shared/saved.ts';
import { IconButton } from '#ui/Button.tsx';
import { Trend } from '#ui/Trend.tsx';
import type { Totals } from '../rules/totals.ts';
import { moneyText, usualText } from '../rules/overviewText.ts';
import { hideSummaryBar } from './shared/summaryBarChoice.ts';
import { type Overview, useOverview } from './useOverview.ts';

export function SummaryBar(): ReactNode {
  const overview = useOverview(null, undefined);
  const totals = overview.totals.value;
  if (totals === null || !overview.isSettled) return null;
  const figures = <Figures totals={totals} overview={overview} />;
  return (
    <div className="overview-line grow min-w-0">
      {isPopup ? (
        <span className="overview-figures grow min-w-0 muted nowrap">{figures}</span>
      ) : (
        <a
          className="overview-figures grow min-w-0 muted nowrap"
          href={`#${MARKET_PATH}`}
          title="Open the market overview"
        >
          {figures}
        </a>
      )}
      <IconButton label="Hide the summary bar" onClick={hide}>
        <XIcon size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

function hide(): void {
  hideSummaryBar(true);
  document.getElementById('main')?.focus();
  showBriefly('Hidden. Turn it on again on the Market page.');
}

function Figures({ totals, overview }: { totals: Totals; overview: Overview }): ReactNode {
  const { advancers, decliners, highs, lows, ranged, value } = totals;
  const byMatchPrice = overview.byMatchPrice.value;
  const usual = byMatchPrice ? '' : usualText(value, overview.usual());
  return (
    <>
      <span>
        <Trend direction="up">{formatNumber(advancers, 0)}</Trend> {byMatchPrice ? 'gapping up' : 'advancing'}
      </span>
      <span>
        <Trend direction="down">{formatNumber(decliners, 0)}</Trend>{' '}
        {byMatchPrice ? 'gapping down, by match price' : 'declining'}
      </span>
      {ranged > 0 && !byMatchPrice && (
        <span>
          <b>{formatNumber(highs, 0)}</b> new highs, <b>{formatNumber(lows, 0)}</b> lows
        </span>
      )}
      <span>
        <b>{moneyText(value)}</b> {byMatchPrice ? 'match value' : 'traded'}
        {usual !== '' && `, ${usual}`}
      </span>
    </>
  );
}

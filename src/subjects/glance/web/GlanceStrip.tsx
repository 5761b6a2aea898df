import XIcon from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { formatNumber } from '#texts/format.ts';
import { isPopup } from '#web/windows/popup.ts';
import { MARKET_PATH } from '#web/router/routes.ts';
import { sayBriefly } from '#web/shared/saved.ts';
import { IconButton } from '#ui/Button.tsx';
import { Trend } from '#ui/Trend.tsx';
import type { Totals } from '../rules/book.ts';
import { moneyText, usualText } from '../rules/glanceText.ts';
import { hideStrip } from './shared/stripChoice.ts';
import { type Glance, useGlance } from './useGlance.ts';

export function GlanceStrip(): ReactNode {
  const glance = useGlance(null, undefined);
  const totals = glance.totals.value;
  if (totals === null || !glance.isSettled) return null;
  const figures = <Figures totals={totals} glance={glance} />;
  return (
    <div className="glance-line grow min-w-0">
      {isPopup ? (
        <span className="glance-figures grow min-w-0 muted nowrap">{figures}</span>
      ) : (
        <a
          className="glance-figures grow min-w-0 muted nowrap"
          href={`#${MARKET_PATH}`}
          title="Open the market at a glance"
        >
          {figures}
        </a>
      )}
      <IconButton label="Hide the market strip" onClick={hide}>
        <XIcon size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

function hide(): void {
  hideStrip(true);
  document.getElementById('main')?.focus();
  sayBriefly('Hidden. The Market page shows it again.');
}

function Figures({ totals, glance }: { totals: Totals; glance: Glance }): ReactNode {
  const { advancers, decliners, highs, lows, ranged, value } = totals;
  const usual = usualText(value, glance.usual());
  return (
    <>
      <span>
        <Trend direction="up">{formatNumber(advancers, 0)}</Trend> advancing
      </span>
      <span>
        <Trend direction="down">{formatNumber(decliners, 0)}</Trend> declining
      </span>
      {ranged > 0 && (
        <span>
          <b>{formatNumber(highs, 0)}</b> new highs, <b>{formatNumber(lows, 0)}</b> lows
        </span>
      )}
      <span>
        <b>{moneyText(value)}</b> traded{usual !== '' && `, ${usual}`}
      </span>
    </>
  );
}

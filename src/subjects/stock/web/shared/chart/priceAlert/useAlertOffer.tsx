import { type ReactNode, type RefObject, useMemo, useState } from 'react';
import type { PriceCrossing } from '#subjects/alerts/rules/crossingAt.ts';
import type { Stock } from '#market/rules/stock.ts';
import { AlertMe } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import type { AlertOffer } from '../types.ts';

/** What the alert would be set against: the last price, before the open the match price, else the close before. */
const currentOf = (stock: Stock | null): number | null =>
  stock?.last ?? stock?.match_price ?? stock?.close ?? null;

/** What was asked for, and where from. */
type Asked = { crossing: PriceCrossing; from: Element | null };

/**
 * Alerts at prices of a stock's chart, and the dialog that sets one once it is asked for.
 * @param chart what the chart is in
 */
export function useAlertOffer(
  stock: Stock | null,
  chart: RefObject<HTMLElement | null>,
): { offer: AlertOffer | undefined; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const current = currentOf(stock);
  const offer = useMemo(
    () =>
      current === null || current <= 0
        ? undefined
        : {
            current,
            ask: (crossing: PriceCrossing) => setAsked({ crossing, from: document.activeElement }),
          },
    [current],
  );
  // The button that asked is gone once the alert is set: the keyboard goes on with the chart's bars.
  const returnsFocus = () =>
    asked?.from?.isConnected === true ||
    (chart.current?.querySelector<HTMLElement>('[role="slider"]') ?? true);
  const dialog =
    asked !== null && stock !== null ? (
      <AlertMe
        row={stock}
        crossing={asked.crossing}
        returnsFocus={returnsFocus}
        onClose={() => setAsked(null)}
      />
    ) : null;
  return { offer, dialog };
}

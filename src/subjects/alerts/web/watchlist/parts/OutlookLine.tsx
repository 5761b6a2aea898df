import type { ReactNode } from 'react';
import { type Outlook, outlookOf, outlookText } from '../../../rules/outlook.ts';
import type { Rehearsal } from '../../../rules/rehearsal.ts';
import type { Logic } from '../../../../conditions/rules/condition.ts';
import { marketNow, stocks } from '../../../../../../web/live/market.ts';

type OutlookLineProps = {
  symbol: string;
  /** With the number under the cursor; null while the conditions are not whole. */
  logic: Logic | null;
  /** Of just these conditions; null before it is there. */
  rehearsal: Rehearsal | null;
  /** The server has just these conditions, and the alert is on. */
  isLive: boolean;
  isOn: boolean;
};

/** What the conditions would do, before they are saved: live with the stock's price. */
export function OutlookLine({ symbol, logic, rehearsal, isLive, isOn }: OutlookLineProps): ReactNode {
  const stock = stocks.value.get(symbol);
  const outlook: Outlook | null = stock && logic ? outlookOf(logic, stock, marketNow()) : null;
  const text = logic && outlookText({ outlook, rehearsal, isLive, isOn });
  return text && <p className="alert-outlook">{text}</p>;
}

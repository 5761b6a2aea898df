import { priceAtStep, stepIndex } from '#market/rules/priceStep.ts';
import type { OddsSettings } from './settings.ts';

/** The brokerage of one side, as a share of the amount. */
export const brokerageShare = ({
  amount,
  brokerage,
  minBrokerage,
}: Pick<OddsSettings, 'amount' | 'brokerage' | 'minBrokerage'>): number =>
  Math.max(brokerage / 100, minBrokerage / amount);

/** The price that a buyer pays, AUD: some price steps above the trade. */
export const priceAbove = (price: number, steps: number): number =>
  steps === 0 ? price : priceAtStep(stepIndex(price) + steps);

/** The highest valid price at or below the stop, AUD; 0 if there is none. @param stop percent below the fill */
export const stopPrice = (fill: number, stop: number): number =>
  priceAtStep(Math.floor(stepIndex(fill * (1 - stop / 100))));

/** The lowest valid price at or above the target, AUD. @param target percent above the fill */
export const targetPrice = (fill: number, target: number): number =>
  priceAtStep(Math.ceil(stepIndex(fill * (1 + target / 100))));

/** The result of a trade in percent. @param share brokerage of each side, as a share of the amount */
export const tradeResult = (paid: number, received: number, share: number): number =>
  ((received * (1 - share)) / (paid * (1 + share)) - 1) * 100;

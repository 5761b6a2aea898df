import { formatNumber, MINUS } from '#texts/format.ts';
import type { PositionSize } from './positionSize.ts';

/** '$1,234.50', '−$12.00'. */
const money = (amount: number): string => `${amount < 0 ? MINUS : ''}$${formatNumber(Math.abs(amount), 2)}`;

/** '1 share', '1,240 shares'. */
export const sharesText = (shares: number): string =>
  `${formatNumber(shares, 0)} ${shares === 1 ? 'share' : 'shares'}`;

/** What a size comes to, each with its name, in the order in which it is read. */
export function sizeFigures(size: PositionSize, hasFees: boolean): readonly (readonly [string, string])[] {
  const { shares, cost, loss, gain, rewardRisk } = size;
  const withFees = hasFees ? ', with fees' : '';
  return [
    ['Shares', formatNumber(shares, 0)],
    ['Cost', money(cost)],
    [`Loss at the stop${withFees}`, money(loss)],
    ...(gain === null || rewardRisk === null
      ? []
      : ([
          [`Gain at the target${withFees}`, money(gain)],
          ['Reward/risk', formatNumber(rewardRisk, 2)],
        ] as const)),
  ];
}

/** One line: '240 shares, cost $13,257.60, loss $96.00'. */
export const sizeLine = ({ shares, cost, loss }: PositionSize): string =>
  `${sharesText(shares)}, cost ${money(cost)}, loss ${money(loss)}`;

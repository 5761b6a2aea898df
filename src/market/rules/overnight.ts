/** Markets that trade while the exchange is closed, in the order of importance for its open. */
export const OVERNIGHT = [
  { id: 'spi', name: 'SPI 200', decimals: 0 },
  { id: 'spx', name: 'S&P 500', decimals: 0 },
  { id: 'xjo', name: 'XJO', decimals: 1 },
  { id: 'ironOre', name: 'Iron ore', decimals: 2 },
  { id: 'gold', name: 'Gold', decimals: 0 },
  { id: 'oil', name: 'Oil', decimals: 2 },
  { id: 'aud', name: 'AUD', decimals: 4 },
] as const;

export type OvernightId = (typeof OVERNIGHT)[number]['id'];
export const OVERNIGHT_IDS: readonly OvernightId[] = OVERNIGHT.map(({ id }) => id);

export type OvernightFigure = {
  id: OvernightId;
  last: number | null;
  /** Percent since the market's previous close. */
  change: number;
  /** When the source gave it, epoch ms. */
  time: number;
};

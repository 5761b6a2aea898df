import type { Locator } from 'playwright-core';
import { feed } from './fedMarket.ts';
import { shownNumber, shownRows, until } from './stage.ts';

let fed = 0;

/**
 * Sends a new price of a stock that the table shows, above every one before, and waits until it stands there.
 * @param from AUD; the price is at most a tenth above it
 */
export async function expectFollowed(
  url: string,
  table: Locator,
  { code, from }: { code: string; from: number },
): Promise<void> {
  fed += 1;
  const last = Number((from * (1 + fed / 1000)).toFixed(3));
  await feed(url, { code, last });
  await until(`the table shows ${code} at ${last}`, async () => {
    const row = (await shownRows(table)).find(({ id }) => id === code);
    return shownNumber(row?.cells.Last ?? row?.cells.Price) === last;
  });
}

/** Stocks of the small exchange, one of each scanner of the open market. */
export const FOLLOWED = {
  small: { code: 'AAA', from: 0.56 },
  midLarge: { code: 'BBB', from: 2.9 },
  largeCap: { code: 'CCC', from: 41 },
} as const;

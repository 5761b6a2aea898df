import { marketNow, meta } from './market.ts';

const MINUTE_MS = 60_000;

/** The moment of the quotes that come now, epoch ms on the market's clock: a delayed source's are older than that. */
export const quoteTime = (): number => marketNow() - (meta.peek()?.feed?.delayMinutes ?? 0) * MINUTE_MS;

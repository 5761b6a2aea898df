import { choice, epochMs, list, number, or, orNull, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';

/** `GET /api/data/day-events`: how a stock's status went today, and at what its auctions traded. */
export const dayEventsAnswer = object({
  symbol: or(text, ''),
  date: or(text, ''),
  /** Since when this day's events are known, epoch ms; null while nothing is. */
  knownSince: orNull(epochMs),
  /** Each change of status, oldest first; `time` is epoch ms on the market's clock. */
  statuses: list(object({ time: epochMs, status: text }, ['time', 'status'])),
  /** What the opening and closing auctions traded at; volume null where it was not known. */
  auctions: list(
    object({ time: epochMs, kind: choice(['open', 'close']), price: number, volume: orNull(number) }, [
      'time',
      'kind',
      'price',
    ]),
  ),
});

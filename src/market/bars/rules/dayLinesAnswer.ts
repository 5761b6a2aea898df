import { epochMs, list, map, number, or, orNull, readBy, text, where } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { readNumber } from '#lib/read.ts';
import { moments } from './barFields.ts';
import { DAY_LINE_SLOT_MINUTES } from './bars.ts';
import { DAY_LINE_SLOTS } from './dayLine.ts';

/**
 * One stock's day. `closes` has the last price of each slot from 10:00 on, AUD; null without a trade in it. The opening
 * auction belongs to the first slot.
 */
export const dayLine = always(
  object({
    previousClose: orNull(number),
    closes: readBy(list(orNull(number)), (value): (number | null)[] =>
      Array.isArray(value) ? value.slice(0, DAY_LINE_SLOTS).map(readNumber) : [],
    ),
  }),
);

/** `GET /api/data/day-lines`. */
export const dayLinesAnswer = object({
  /** The session's Sydney date, YYYY-MM-DD. */
  date: or(text, ''),
  /** 10:00 of it, epoch ms. */
  from: or(epochMs, 0),
  slotMinutes: or(
    where(number, (minutes) => minutes > 0),
    DAY_LINE_SLOT_MINUTES,
  ),
  /** By code; stocks that are not known are left out. */
  lines: map(dayLine),
  /** Stretches of the day that are not known: shown as gaps. */
  unknown: list(moments),
});

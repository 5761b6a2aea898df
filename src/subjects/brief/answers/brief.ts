import {
  boolean,
  choice,
  count,
  epochMs,
  list,
  number,
  or,
  orNull,
  text,
  words,
} from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { described } from '#lib/contract/requests.ts';
import { overnightFigure } from '#subjects/marketOverview/answers/overview.ts';
import { DEFAULT_MINUTE } from '../rules/briefTime.ts';

const stock = {
  code: words,
  name: or(text, ''),
  gap: described(orNull(number), 'Match price against the previous close, percent.'),
  value: described(orNull(number), 'Match value, AUD.'),
};

export const HALT_KINDS = ['halted', 'suspended', 'lifted'] as const;
export const BRIEF_STATES = ['ready', 'waiting'] as const;

export const briefAnswer = object(
  {
    state: described(choice(BRIEF_STATES), '`waiting` before 08:45 in Sydney and on days without trading.'),
    /** Sydney date of the brief, YYYY-MM-DD. */
    date: or(text, ''),
    /** By the market’s clock. */
    at: epochMs,
    next: described(epochMs, 'When the next brief begins.'),
    overnight: list(overnightFigure),
    gaps: orNull(
      object({
        up: or(count, 0),
        down: or(count, 0),
        unchanged: or(count, 0),
        stocks: or(count, 0),
        value: or(number, 0),
      }),
    ),
    announcements: list(
      object({ ...stock, headline: text, time: epochMs, more: or(count, 0) }, ['code', 'headline', 'time']),
    ),
    announcementCount: described(or(count, 0), 'Stocks with a price-sensitive announcement.'),
    flips: list(
      object({ ...stock, side: choice(['buyers', 'sellers']), time: epochMs }, ['code', 'side', 'time']),
    ),
    halts: list(object({ ...stock, kind: choice(HALT_KINDS), time: orNull(epochMs) }, ['code', 'kind'])),
    lists: list(object({ ...stock, news: list(text) }, ['code'])),
    watched: described(or(count, 0), 'Number of stocks on the user’s lists.'),
    events: list(
      object(
        { id: words, time: orNull(epochMs), currency: or(text, ''), name: text, figures: or(text, '') },
        ['id', 'name'],
      ),
    ),
  },
  ['state', 'at', 'next'],
);

export const briefChoiceAnswer = always(
  object({
    active: or(boolean, false),
    minute: or(described(count, 'Minutes after midnight in Sydney, from 525 to 599.'), DEFAULT_MINUTE),
    destinations: or(described(count, 'Number of chats and devices that receive it.'), 0),
    next: orNull(described(epochMs, 'When the next message is due; null if it is off.')),
    isHeld: or(described(boolean, 'Whether quiet hours hold the next message.'), false),
  }),
);

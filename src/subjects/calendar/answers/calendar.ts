import {
  boolean,
  choice,
  count,
  isoTime,
  list,
  number,
  or,
  orNull,
  text,
  words,
} from '#lib/contract/fields.ts';
import { object, extension } from '#lib/contract/objects.ts';
import { described } from '#lib/contract/requests.ts';
import { POTENCIES } from '#market/calendar/rules/calendarEvent.ts';
import { MOVE_STATES } from '../rules/marketMoves.ts';
import { COMPANY_KINDS } from '../rules/companyEvents.ts';
import { SURPRISE_SIDES } from '../rules/figures.ts';

const known = orNull(number);

/** The price move of the largest stocks after a release, or why that is unknown. */
const move = object(
  {
    state: choice(MOVE_STATES),
    change: described(known, 'Cap-weighted change in percent.'),
    up: or(number, 0),
    down: or(number, 0),
    counted: described(or(number, 0), 'Number of the top 50 stocks with a price before and after.'),
  },
  ['state'],
);

const stockMove = object({ state: choice(MOVE_STATES), change: described(known, 'Change in percent.') }, [
  'state',
]);

const surprise = object(
  {
    difference: number,
    sigma: described(
      known,
      'In standard deviations of earlier surprises; null if there are fewer than five.',
    ),
    earlier: or(number, 0),
    side: choice(SURPRISE_SIDES),
  },
  ['difference', 'side'],
);

const release = object(
  {
    time: isoTime,
    actual: known,
    consensus: known,
    previous: known,
    corrected: described(known, 'The figure after a later correction.'),
    potency: or(choice(POTENCIES), 'ZERO'),
    surprise: orNull(surprise),
    after5: orNull(move),
    after30: orNull(move),
    stock5: orNull(stockMove),
    stock30: orNull(stockMove),
  },
  ['time'],
);

const mean = object({ mean: number, cases: count }, ['mean', 'cases']);

/** Answer of `GET /api/calendar/events/:eventId/history`: the last releases, newest first, and their averages. */
export const historyAnswer = object({
  releases: list(release),
  remembered: described(or(number, 0), 'Number of known releases.'),
  unit: orNull(text),
  averages: list(
    object(
      {
        of: choice(['all', 'up', 'down']),
        after5: orNull(mean),
        after30: orNull(mean),
        stock5: orNull(mean),
        stock30: orNull(mean),
      },
      ['of'],
    ),
  ),
  symbol: described(orNull(words), 'The chosen stock, or null.'),
  simulated: described(or(boolean, false), 'The figures are simulated.'),
  note: described(orNull(words), 'Why market reactions cannot be measured here.'),
});

export const reminder = object(
  {
    eventId: words,
    /** Whether to send a reminder five minutes before the event. */
    before: or(boolean, false),
    figure: or(boolean, false),
  },
  ['eventId'],
);

export const remindersAnswer = object({ reminders: list(reminder) });

export const savedAnswer = object({
  ...reminder.members,
  /** Why the reminder cannot be delivered to the user; null if it can. */
  note: extension(orNull(text)),
});

/** An event that an announcement of a company states. */
export const companyEvent = object(
  {
    id: text,
    kinds: list(choice(COMPANY_KINDS)),
    code: text,
    name: orNull(described(words, 'Null if the stock is not listed.')),
    headline: text,
    url: orNull(text),
    time: orNull(described(isoTime, 'When it was announced; null for an ex-dividend date.')),
    date: orNull(described(text, 'The ex-dividend date that the headline states, YYYY-MM-DD.')),
  },
  ['id', 'code', 'headline'],
);

export const companyEventsAnswer = object({ events: list(companyEvent) });

import { boolean, choice, count, or, text } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { described } from '#lib/contract/requests.ts';
import { DIGESTS, NO_QUIET_HOURS } from '../rules/quietHours.ts';

export const quietHoursAnswer = always(
  object({
    active: or(boolean, false),
    from: or(described(count, 'Minutes since midnight in the zone.'), NO_QUIET_HOURS.from),
    until: or(described(count, 'As `from`; over midnight where it is less.'), NO_QUIET_HOURS.until),
    zone: or(described(text, 'A name of the time zone database.'), NO_QUIET_HOURS.zone),
    digest: or(
      described(
        choice(DIGESTS),
        '`end`: one digest as they end. `hourly`: one each hour of them. `always`: one each hour of the day, and one as they end.',
      ),
      'end',
    ),
    waiting: or(described(count, 'Messages that wait for the next digest.'), 0),
  }),
);

import { boolean, choice, count, or, text } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { described } from '#lib/contract/requests.ts';
import { DIGESTS, NO_QUIET_HOURS } from '../rules/quietHours.ts';

export const quietHoursAnswer = always(
  object({
    active: or(boolean, false),
    from: or(described(count, 'Minutes after midnight in the time zone.'), NO_QUIET_HOURS.from),
    until: or(
      described(count, 'Like `from`; if it is less than `from`, quiet hours span midnight.'),
      NO_QUIET_HOURS.until,
    ),
    zone: or(described(text, 'IANA time zone, such as Australia/Sydney.'), NO_QUIET_HOURS.zone),
    digest: or(
      described(
        choice(DIGESTS),
        '`end`: one digest at the end; `hourly`: one per hour; `always`: one at the end and one per hour for the rest of the day.',
      ),
      'end',
    ),
    waiting: or(described(count, 'Number of messages waiting for the next digest.'), 0),
  }),
);

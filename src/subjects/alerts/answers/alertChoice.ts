import { boolean, integer, orNull, isoTime } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, described, sent } from '#lib/contract/requests.ts';
import { deviceChoice } from './alert.ts';
import { membersOf, type Options } from './options.ts';

/** Accepts almost any value; the rules of alerts check names, conditions and destinations. */
export const alertChoice = <O extends Options>(options: O) => ({
  ...membersOf(options, 'chosen'),
  active: optional(sent(boolean, { error: '`active` must be true or false.' }, {})),
  // An omitted member keeps its value.
  destinations: byRules(
    optional(
      object({ telegram: optional(boolean), discord: optional(boolean), devices: optional(deviceChoice) }),
    ),
  ),
});

/** The version that a change is based on. */
export const version = optional(sent(integer, { error: '`version` must be a whole number.' }, {}));

/** Members of a change that a new alert does not have. */
export const changeOnly = {
  snoozed_until: byRules(
    optional(orNull(described(isoTime, 'At most 24 hours from now; null ends the snooze.'))),
  ),
  version,
};

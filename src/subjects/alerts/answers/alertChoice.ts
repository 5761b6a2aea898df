import { boolean, integer, orNull, isoTime } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, described, sent } from '#lib/contract/requests.ts';
import { deviceChoice } from './alert.ts';
import { membersOf, type Options } from './options.ts';

/**
 * Accepts almost any value; the rules of alerts check names, conditions and destinations. @param called 'An alert'
 */
export const alertChoice = <O extends Options>(options: O, called: string) => ({
  ...membersOf(options, 'chosen'),
  active: optional(sent(boolean, { error: `${called} is switched on or off with true or false.` }, {})),
  // An omitted member stays as it was.
  destinations: byRules(
    optional(
      object({ telegram: optional(boolean), discord: optional(boolean), devices: optional(deviceChoice) }),
    ),
  ),
});

/** The version that a change is based on. @param called 'an alert' */
export const versionOf = (called: string) =>
  optional(sent(integer, { error: `The version of ${called} is a whole number.` }, {}));

/** Members of a change that a new alert does not have. @param called 'an alert' */
export const changeOnly = (called: string) => ({
  snoozed_until: byRules(
    optional(orNull(described(isoTime, 'At most 24 hours from now; null ends the snooze.'))),
  ),
  version: versionOf(called),
});

import { boolean, integer, orNull, isoTime } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, described, sent } from '#lib/contract/requests.ts';
import { deviceChoice } from './alert.ts';
import { membersOf, type Options } from './options.ts';

/**
 * What is sent of an alert. Hardly a shape: what is wrong with names, conditions and destinations is for the rules of alerts
 * to say. @param called 'An alert'
 */
export const alertChoice = <O extends Options>(options: O, called: string) => ({
  ...membersOf(options, 'chosen'),
  active: optional(sent(boolean, { error: `${called} is switched on or off with true or false.` }, {})),
  // What is not named stays as it was.
  destinations: byRules(
    optional(
      object({ telegram: optional(boolean), discord: optional(boolean), devices: optional(deviceChoice) }),
    ),
  ),
});

/** The version that a change is made on. @param called 'an alert' */
export const versionOf = (called: string) =>
  optional(sent(integer, { error: `The version of ${called} is a whole number.` }, {}));

/** Members that only a change has, not a new alert. @param called 'an alert' */
export const changeOnly = (called: string) => ({
  snoozed_until: byRules(optional(orNull(described(isoTime, 'At most 24 hours ahead; null ends a snooze.')))),
  version: versionOf(called),
});

import { boolean, integer, isoTime, list, orNull, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, sent } from '#lib/contract/requests.ts';
import { deviceChoice, sound } from './alert.ts';
import { cooldownMinutes } from './scanAlert.ts';

/** Where an alert is to be sent; what is not named stays as it was. */
export const chosenDestinations = byRules(
  optional(
    object({ telegram: optional(boolean), discord: optional(boolean), devices: optional(deviceChoice) }),
  ),
);

/** Of which currencies an alert is to mention events; the mode `hold` of earlier versions is read as `mark`. */
export const chosenGuard = byRules(
  optional(orNull(object({ mode: text, currencies: optional(list(text)) }))),
);

/** How an alert is to behave. */
export const chosenManner = {
  urgent: optional(sent(boolean, { error: 'Urgent is switched with true or false.' }, {})),
  group: byRules(optional(orNull(text))),
  sound: byRules(optional(orNull(sound))),
};

/** Hardly a shape: what is wrong with names, conditions and destinations is for the rules of alerts to say. */
export const alertChoice = {
  name: byRules(optional(orNull(text))),
  active: optional(sent(boolean, { error: 'An alert is switched on or off with true or false.' }, {})),
  persistent: optional(sent(boolean, { error: 'Persistent is switched with true or false.' }, {})),
  destinations: chosenDestinations,
  note: byRules(optional(orNull(text))),
  expires_at: byRules(optional(orNull(isoTime))),
  cooldown_minutes: byRules(optional(cooldownMinutes)),
  ...chosenManner,
  event_guard: chosenGuard,
};
/** The version that a change is made on. */
export const version = optional(sent(integer, { error: 'The version of an alert is a whole number.' }, {}));

import {
  anyOf,
  boolean,
  choice,
  count,
  isoTime,
  list,
  named,
  number,
  or,
  orNull,
  readBy,
  text,
  words,
} from '#lib/contract/fields.ts';
import { always, object, ours } from '#lib/contract/objects.ts';
import { described, unchecked } from '#lib/contract/requests.ts';
import { parseJson } from '#lib/json.ts';
import { readCount } from '#lib/read.ts';
import { logic } from '#subjects/conditions/answers/logic.ts';
import { DELIVERIES } from '#platform/outbox/rules/delivery.ts';
import { membersOf, STOCK_OPTIONS } from './options.ts';
import { seenCondition } from './seen.ts';

/** What became of a message. */
export const delivery = choice(DELIVERIES);

const ALL = choice(['all']);
const deviceIds = list(count);

/** The devices that an alert is sent to: all that there are when it fires, or those of these ids. */
export const deviceChoice = anyOf<typeof ALL | typeof deviceIds, 'all' | number[]>(
  [ALL, deviceIds],
  (value) => ALL.read(value) ?? deviceIds.read(value),
);

/** The platforms of chats that an alert is sent to besides the open page, and the devices. */
export const destinations = always(
  object({ telegram: or(boolean, false), discord: or(boolean, false), devices: ours(deviceChoice) }),
);

/** What the conditions of an alert saw, groups included, in their order. */
export const seen = unchecked(list(seenCondition));

/** Conditions as an object, or as its JSON. */
const logicOrJson = readBy(logic, (value) => {
  if (typeof value !== 'string') return logic.read(value);
  const json = parseJson(value);
  return json.ok ? logic.read(json.value) : null;
});

/** An alert (specification, section 3). */
export const alert = named(
  'Alert',
  object(
    {
      id: count,
      symbol: or(text, ''),
      active: or(boolean, true),
      ...membersOf(STOCK_OPTIONS, 'answer'),
      logic_json: unchecked(logicOrJson),
      destinations,
      /** By the wall clock. */
      last_triggered_at: orNull(isoTime),
      /** The same by the market's clock, as long as the trigger is kept. */
      last_triggered_market_time: ours(orNull(isoTime)),
      version: ours(described(count, 'The version that a change is made on.')),
      /** It is evaluated but sends nothing until then. */
      snoozed_until: ours(orNull(isoTime)),
      /** A sentence saying why it was stopped without its owner. */
      stopped_reason: ours(orNull(words)),
      // A length, because the clocks of browsers are not to be relied on.
      arms_in_ms: ours(
        orNull(
          described(
            readBy(number, readCount),
            'It was already true as it was saved, and fires in so many ms unless that is undone.',
          ),
        ),
      ),
      /** Of the last trigger; null where nothing was to be sent. */
      delivery: ours(orNull(delivery)),
      problem: ours(
        orNull(described(words, 'What its conditions read that no longer exists, as a deleted scan.')),
      ),
      until_open: ours(
        or(
          described(
            boolean,
            'It reads the opening auction, so it is not checked from the open until the next pre-open.',
          ),
          false,
        ),
      ),
    },
    ['id'],
  ),
);

/** `GET /api/alerts`. */
export const alertsAnswer = object({ alerts: list(alert) });

/** What a change is refused with when another one came first: the alert as it stands. */
export const alertConflict = object({ error: words, alert }, ['error']);

/** `GET /api/alerts/:id/evaluation`: what the conditions see now; `at` is by the market's clock. */
export const evaluation = object({
  at: orNull(isoTime),
  notEvaluated: orNull(words),
  conditions: seen,
  holds: orNull(boolean),
  guard: ours(orNull(described(words, 'The event that it mentions if it fires now.'))),
});

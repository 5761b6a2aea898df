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
import { always, object, optional, ours } from '#lib/contract/objects.ts';
import { described, unchecked } from '#lib/contract/requests.ts';
import { parseJson } from '#lib/json.ts';
import { readCount, readRecord } from '#lib/read.ts';
import { MESSAGE_PLATFORMS } from '#platform/chatClients/rules/chatPlatform.ts';
import { DELIVERIES, TRIGGER_KINDS } from '#platform/outbox/rules/delivery.ts';
import { logic } from '#subjects/conditions/answers/logic.ts';
import { OPERATORS } from '#subjects/conditions/rules/condition.ts';
import { SCAN_EVENTS } from '../rules/scanAlerts/scanAlert.ts';
import { membersOf, STOCK_OPTIONS } from './options.ts';

const wholeSide = always(
  object({
    text: or(text, ''),
    value: orNull(number),
    /** Only of a crossing. */
    before: optional(orNull(number)),
  }),
);

/** One side of a condition, before and after. */
export const seenSide = readBy(wholeSide, (value) => {
  const { before, ...side } = wholeSide.read(value);
  return readRecord(value).before === undefined ? side : { ...side, before };
});

/** What a condition saw when it was evaluated. */
export const seenCondition = object(
  {
    left: seenSide,
    op: choice(OPERATORS),
    right: seenSide,
    /** Null: it could not be evaluated. */
    holds: orNull(boolean),
  },
  ['op'],
);

/** What became of a message. */
const delivery = choice(DELIVERIES);

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

/** That an alert fired. */
export const trigger = object(
  {
    id: or(count, 0),
    /** By the wall clock. */
    timestamp: isoTime,
    /** By the market's clock. */
    marketTime: isoTime,
    seen,
    /** When the quote was made, by the market's clock; null when that is not known. */
    quoteTime: orNull(isoTime),
    /** The name of the source of prices. */
    source: words,
    delayMinutes: or(number, 0),
    deactivated: or(boolean, false),
    /** It fired while snoozed: nothing was sent. */
    silent: or(boolean, false),
    guard: ours(orNull(described(words, 'What it has to do with an event of the calendar.'))),
    delivery: orNull(delivery),
  },
  ['timestamp'],
);

/** `GET /api/alerts/:id/triggers`: the newest first. */
export const triggersAnswer = object({ triggers: list(trigger) });

/** What became of the messages of a trigger to the chats of a platform: the worst of them. */
const sentTo = object({ platform: choice(MESSAGE_PLATFORMS), delivery: or(delivery, 'waiting') }, [
  'platform',
]);

const listed = object(
  {
    ...trigger.members,
    id: count,
    source: or(text, ''),
    kind: choice(TRIGGER_KINDS),
    alertId: described(count, 'Of the alert, or of the scan alert, by `kind`; ids count anew in each.'),
    /** The alert's; null where it has none. */
    name: orNull(words),
    symbol: orNull(described(words, 'Null for a sum of several.')),
    symbols: described(list(text), 'Of a sum.'),
    /** What the stock did; null for an alert on a stock. */
    event: orNull(choice(SCAN_EVENTS)),
    scan: orNull(described(text, 'What the scan was called then.')),
    /** None where nothing was to be sent. */
    sent: list(sentTo),
  },
  ['id', 'alertId', 'kind', 'timestamp'],
);

/** A trigger in the list of all. */
export const listedTrigger = readBy(listed, (value) => {
  const known = listed.read(value);
  return known && { ...known, marketTime: known.marketTime ?? known.timestamp };
});

/** `GET /api/alerts/triggers`: the newest first. */
export const triggerPage = object({ triggers: list(listedTrigger), next: orNull(text) });

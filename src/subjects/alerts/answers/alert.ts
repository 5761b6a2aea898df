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
import { always, object, optional, extension } from '#lib/contract/objects.ts';
import { described, unchecked } from '#lib/contract/requests.ts';
import { parseJson } from '#lib/json.ts';
import { readCount, readRecord } from '#lib/read.ts';
import { MESSAGE_PLATFORMS } from '#platform/chatClients/rules/chatPlatform.ts';
import { DELIVERIES, TRIGGER_KINDS } from '#platform/outbox/rules/delivery.ts';
import { logic } from '#subjects/conditions/answers/logic.ts';
import { OPERATORS } from '#subjects/conditions/rules/condition.ts';
import { SCAN_EVENTS, membersOf, STOCK_OPTIONS } from './options.ts';

const wholeSide = always(
  object({
    text: or(text, ''),
    value: orNull(number),
    /** Omitted unless the condition is a crossing. */
    before: optional(orNull(number)),
  }),
);

export const seenSide = readBy(wholeSide, (value) => {
  const { before, ...side } = wholeSide.read(value);
  return readRecord(value).before === undefined ? side : { ...side, before };
});

export const seenCondition = object(
  {
    left: seenSide,
    op: choice(OPERATORS),
    right: seenSide,
    /** Null if the condition could not be evaluated. */
    holds: orNull(boolean),
  },
  ['op'],
);

const delivery = choice(DELIVERIES);

const ALL = choice(['all']);
const deviceIds = list(count);

/** All devices that the user has when the alert fires, or the devices with these ids. */
export const deviceChoice = anyOf<typeof ALL | typeof deviceIds, 'all' | number[]>(
  [ALL, deviceIds],
  (value) => ALL.read(value) ?? deviceIds.read(value),
);

export const destinations = always(
  object({ telegram: or(boolean, false), discord: or(boolean, false), devices: extension(deviceChoice) }),
);

export const seen = unchecked(list(seenCondition));

const logicOrJson = readBy(logic, (value) => {
  if (typeof value !== 'string') return logic.read(value);
  const json = parseJson(value);
  return json.ok ? logic.read(json.value) : null;
});

/** An alert on a stock (specification, section 3). */
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
      /** By the market's clock; null once the trigger is deleted. */
      last_triggered_market_time: extension(orNull(isoTime)),
      version: extension(described(count, 'Send it with a change to detect conflicts.')),
      /** Until then the alert is evaluated but sends nothing. */
      snoozed_until: extension(orNull(isoTime)),
      stopped_reason: extension(orNull(words)),
      // Remaining undo window. A duration, because browsers' clocks are unreliable.
      arms_in_ms: extension(
        orNull(
          described(
            readBy(number, readCount),
            'Milliseconds until an alert that was already true when saved fires.',
          ),
        ),
      ),
      /** Outcome of the last trigger's messages; null if it sent none. */
      delivery: extension(orNull(delivery)),
      problem: extension(
        orNull(described(words, 'What the conditions use that no longer exists, such as a deleted scan.')),
      ),
      until_open: extension(
        or(
          described(boolean, 'It uses opening auction values, so it is only checked before the open.'),
          false,
        ),
      ),
    },
    ['id'],
  ),
);

export const alertsAnswer = object({ alerts: list(alert) });

/** Answer to a change that is based on an older version: an error and the current alert. */
export const alertConflict = object({ error: words, alert }, ['error']);

/** Answer of `GET /api/alerts/:id/evaluation`: the current values of the conditions; `at` is by the market's clock. */
export const evaluation = object({
  at: orNull(isoTime),
  notEvaluated: orNull(words),
  conditions: seen,
  holds: orNull(boolean),
  guard: extension(orNull(described(words, 'The calendar event that a message would mention now.'))),
});

export const trigger = object(
  {
    id: or(count, 0),
    /** By the wall clock. */
    timestamp: isoTime,
    /** By the market's clock. */
    marketTime: isoTime,
    seen,
    /** When the quote was made, by the market's clock. */
    quoteTime: orNull(isoTime),
    source: words,
    delayMinutes: or(number, 0),
    deactivated: or(boolean, false),
    silent: or(boolean, false),
    guard: extension(orNull(described(words, 'The calendar event mentioned in the message.'))),
    delivery: orNull(delivery),
  },
  ['timestamp'],
);

/** Answer of `GET /api/alerts/:id/triggers`, newest first. */
export const triggersAnswer = object({ triggers: list(trigger) });

/** An announcement that an alert reported. */
export const announced = object(
  {
    code: text,
    headline: text,
    isPriceSensitive: or(boolean, false),
    url: orNull(text),
  },
  ['code', 'headline'],
);

/** The worst outcome of a trigger's messages on a platform. */
const sentTo = object({ platform: choice(MESSAGE_PLATFORMS), delivery: or(delivery, 'waiting') }, [
  'platform',
]);

const listed = object(
  {
    ...trigger.members,
    id: count,
    source: or(text, ''),
    kind: choice(TRIGGER_KINDS),
    alertId: described(count, 'Id of the alert or scan alert, by `kind`.'),
    name: orNull(words),
    symbol: orNull(described(words, 'Null if the trigger combines several stocks.')),
    symbols: described(list(text), 'The stocks of a combined trigger.'),
    announcements: described(list(announced), 'Empty unless the alert watches announcements.'),
    /** Whether the stock entered or left the scan; null for an alert on a stock. */
    event: orNull(choice(SCAN_EVENTS)),
    scan: orNull(described(text, 'The scan’s name at that time.')),
    /** Empty if the trigger sent nothing. */
    sent: list(sentTo),
  },
  ['id', 'alertId', 'kind', 'timestamp'],
);

export const listedTrigger = readBy(listed, (value) => {
  const known = listed.read(value);
  return known && { ...known, marketTime: known.marketTime ?? known.timestamp };
});

/** Answer of `GET /api/alerts/triggers`, newest first. */
export const triggerPage = object({ triggers: list(listedTrigger), next: orNull(text) });

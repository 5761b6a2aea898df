import {
  boolean,
  choice,
  count,
  isoTime,
  list,
  number,
  or,
  orNull,
  readBy,
  text,
  words,
} from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';
import { described } from '#lib/contract/requests.ts';
import { MESSAGE_PLATFORMS } from '#platform/chatClients/rules/chatPlatform.ts';
import { SCAN_EVENTS } from '../rules/scanAlerts/scanAlert.ts';
import { TRIGGER_KINDS } from '#platform/outbox/rules/delivery.ts';
import { delivery, seen } from './alert.ts';

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
export const sentTo = object({ platform: choice(MESSAGE_PLATFORMS), delivery: or(delivery, 'waiting') }, [
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

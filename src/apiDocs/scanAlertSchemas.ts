import { t } from 'elysia';
import {
  COOLDOWN_MINUTES,
  type CountRange,
  DAY_MAXIMUM,
  MINUTE_MAXIMUM,
  SCAN_EVENTS,
  SCAN_SCOPES,
} from '../subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { destinations, oneOf, seen, time, timeOrNull } from './schemas.ts';

const watchedScan = t.Union([
  t.Object({
    type: t.Literal('scanner'),
    key: oneOf(['preMarket', 'intraDaySmall', 'intraDayMidLarge', 'intraDayLargeCap']),
  }),
  t.Object({ type: t.Literal('scan'), id: t.Integer(), name: t.Optional(t.String()) }),
]);
const scanEvent = oneOf(SCAN_EVENTS);
const scanScope = oneOf(SCAN_SCOPES);
const range = ({ least, most }: CountRange) => ({ minimum: least, maximum: most });
const cooldown = t.Integer({
  ...range(COOLDOWN_MINUTES),
  description: 'Minutes for which a stock that was told is not told again.',
});
const dayMaximum = t.Integer({
  ...range(DAY_MAXIMUM),
  description: 'How often one stock is told in a session.',
});
const minuteMaximum = t.Integer({
  ...range(MINUTE_MAXIMUM),
  description: 'Messages in a minute; what is beyond them is summed up in one more.',
});
/** An alert on a whole scan. */
export const scanAlert = t.Object({
  id: t.Integer(),
  name: t.Nullable(t.String()),
  scan: watchedScan,
  event: scanEvent,
  scope: scanScope,
  cooldown_minutes: cooldown,
  day_maximum: dayMaximum,
  minute_maximum: minuteMaximum,
  active: t.Boolean(),
  destinations,
  last_triggered_at: timeOrNull,
  last_triggered_market_time: timeOrNull,
  version: t.Integer({ description: 'The version that a change is made on.' }),
  snoozed_until: timeOrNull,
  muted_today: t.Array(t.String(), { description: 'Stocks that are not to be told in this session.' }),
  in_scan: t.Nullable(t.Integer({ description: 'How many stocks stand in the scan; null while it is off.' })),
  problem: t.Nullable(
    t.String({
      description: 'Why its scan can’t be followed: it was deleted, or waits for indicator values.',
    }),
  ),
});
export const scanTrigger = t.Object({
  id: t.Integer(),
  symbol: t.Nullable(t.String({ description: 'Null for a sum of several.' })),
  symbols: t.Array(t.String(), { description: 'Of a sum.' }),
  event: scanEvent,
  scan: t.String(),
  timestamp: time,
  marketTime: time,
  seen,
  quoteTime: timeOrNull,
  source: t.String(),
  delayMinutes: t.Number(),
  silent: t.Boolean(),
});
export const scanRehearsal = t.Object({
  fired: t.Integer(),
  stocks: t.Integer(),
  days: t.Integer({ description: 'Trading days that were run.' }),
  busiestDay: t.Integer(),
  newest: t.Array(t.Object({ symbol: t.String(), date: t.String() })),
  notRehearsed: t.Array(t.String()),
});
/** What a person chooses of an alert on a whole scan that is rehearsed. */
export const rehearsedScan = {
  scan: watchedScan,
  event: t.Optional(scanEvent),
  scope: t.Optional(scanScope),
  cooldown_minutes: t.Optional(cooldown),
  day_maximum: t.Optional(dayMaximum),
};
/** What a person chooses of an alert on a whole scan, besides the scan. */
export const scanAlertChoice = {
  event: rehearsedScan.event,
  scope: rehearsedScan.scope,
  cooldown_minutes: rehearsedScan.cooldown_minutes,
  day_maximum: rehearsedScan.day_maximum,
  minute_maximum: t.Optional(minuteMaximum),
  name: t.Optional(t.Nullable(t.String())),
  active: t.Optional(t.Boolean()),
  destinations: t.Optional(t.Partial(destinations)),
};

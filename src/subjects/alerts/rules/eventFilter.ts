import { formatTime } from '#texts/format.ts';
import { isRecord } from '#lib/json.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { namedAll } from './manyAlerts.ts';
import { plainLine } from '#texts/plainText.ts';

export const GUARD_CURRENCIES = ['AUD', 'USD', 'EUR', 'GBP', 'JPY', 'NZD', 'CAD', 'CHF', 'CNY'] as const;

export type EventFilter = { mode: 'mark'; currencies: string[] };
export const DEFAULT_GUARD: EventFilter = { mode: 'mark', currencies: ['AUD', 'USD'] };

/** Time before and after an event, both inclusive. */
export const GUARD_MS = 5 * 60_000;

/** An event near a trigger; `at` is by the calendar's clock, epoch ms. */
export type FilterEvent = { name: string; currency: string; at: number };

/** The event within five minutes of a trigger. */
export type TriggerFilter = { event: FilterEvent };

const MAX_NAME = 80;

export function checkEventFilter(sent: unknown): Result<EventFilter | null> {
  if (sent === undefined || sent === null) return ok(null);
  if (!isRecord(sent) || sent['mode'] !== 'mark') {
    return refuse('`event_guard` must be null, or an object with the mode "mark".', 'event_guard');
  }
  const chosen: readonly unknown[] = Array.isArray(sent['currencies'])
    ? sent['currencies'].slice(0, 2 * GUARD_CURRENCIES.length)
    : DEFAULT_GUARD.currencies;
  const currencies = GUARD_CURRENCIES.filter((one) => chosen.includes(one));
  if (currencies.length === 0 || chosen.some((one) => !GUARD_CURRENCIES.some((known) => known === one))) {
    return refuse(
      `Choose at least one currency of ${GUARD_CURRENCIES.join(', ')}.`,
      'event_guard.currencies',
    );
  }
  return ok({ mode: 'mark', currencies });
}

/**
 * The event that an alert mentions now; the nearest if there are several.
 * @param events the events within five minutes, by the calendar's clock
 */
export function eventNow(
  guard: EventFilter | null,
  events: { guarding(): readonly FilterEvent[]; now(): number },
): FilterEvent | null {
  if (guard === null) return null;
  const now = events.now();
  let nearest: FilterEvent | null = null;
  for (const event of events.guarding()) {
    if (!guard.currencies.includes(event.currency)) continue;
    if (nearest === null || Math.abs(event.at - now) < Math.abs(nearest.at - now)) nearest = event;
  }
  return nearest;
}

const eventText = ({ name, currency, at }: FilterEvent): string =>
  `${plainLine(name, MAX_NAME)} (${currency}, HIGH) at ${formatTime(at)}`;

export const eventFilterText = ({ event }: TriggerFilter): string =>
  `Within 5 minutes of ${eventText(event)}`;

export const guardingText = (event: FilterEvent): string =>
  `flagged if it fires now: within 5 minutes of ${eventText(event)}`;

export const eventFilterChoiceText = ({ currencies }: EventFilter): string =>
  `Flagged near high-impact events of ${namedAll(currencies)}`;

import { formatTime } from '#texts/format.ts';
import { isRecord } from '#lib/json.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { namedAll } from './manyAlerts.ts';
import { plainLine } from '#texts/plainText.ts';

/** What an alert does around an event: says so in its message, or fires nothing until the event is over. */
export const GUARD_MODES = ['mark', 'hold'] as const;
export type GuardMode = (typeof GUARD_MODES)[number];

/** The currencies whose events can be chosen, in the order in which they are offered. */
export const GUARD_CURRENCIES = ['AUD', 'USD', 'EUR', 'GBP', 'JPY', 'NZD', 'CAD', 'CHF', 'CNY'] as const;
export const DEFAULT_GUARD_CURRENCIES: readonly string[] = ['AUD', 'USD'];

/** An alert's choice of what it does around events of HIGH impact. */
export type EventGuard = { mode: GuardMode; currencies: readonly string[] };

/** From so long before an event to so long after it, both included. */
export const GUARD_MS = 5 * 60_000;

/** An event that guards; `at` is its time by the clock of the calendar, epoch ms. */
export type GuardingEvent = { name: string; currency: string; at: number };

/**
 * What a trigger has to do with an event.
 *
 * - `marked`: it fired within five minutes of it.
 * - `late`: it was held back for it, and fired when that was over.
 * - `withheld`: it was held back for it, and its conditions held no longer when that was over: it did not fire.
 *
 * `since` is when it was held back, by the clock of the calendar; null for `marked`.
 */
export type TriggerGuard = {
  kind: 'marked' | 'late' | 'withheld';
  event: GuardingEvent;
  since: number | null;
};

/** Long enough for the names of events, and short enough for a line. */
const MAX_NAME = 80;

/** Checks what an alert is to do around events. @returns its one form; null for nothing */
export function checkEventGuard(sent: unknown): Result<EventGuard | null> {
  if (sent === undefined || sent === null) return ok(null);
  const mode = isRecord(sent) ? GUARD_MODES.find((one) => one === sent['mode']) : undefined;
  if (!isRecord(sent) || mode === undefined) {
    return refuse('Around events an alert does nothing (null), or its mode is mark or hold.', 'event_guard');
  }
  const chosen: readonly unknown[] = Array.isArray(sent['currencies'])
    ? sent['currencies'].slice(0, 2 * GUARD_CURRENCIES.length)
    : DEFAULT_GUARD_CURRENCIES;
  const currencies = GUARD_CURRENCIES.filter((one) => chosen.includes(one));
  if (currencies.length === 0 || chosen.some((one) => !GUARD_CURRENCIES.some((known) => known === one))) {
    return refuse(
      `Choose at least one currency of ${GUARD_CURRENCIES.join(', ')}.`,
      'event_guard.currencies',
    );
  }
  return ok({ mode, currencies });
}

/**
 * The event that guards an alert now: of several the nearest.
 * @param events those within five minutes @param now by the clock of the calendar, epoch ms
 */
export function guardedBy(
  currencies: readonly string[],
  events: readonly GuardingEvent[],
  now: number,
): GuardingEvent | null {
  let nearest: GuardingEvent | null = null;
  for (const event of events) {
    if (!currencies.includes(event.currency)) continue;
    if (nearest === null || Math.abs(event.at - now) < Math.abs(nearest.at - now)) nearest = event;
  }
  return nearest;
}

/** 'Employment Change (AUD, HIGH) at 11:30'. */
const eventText = ({ name, currency, at }: GuardingEvent): string =>
  `${plainLine(name, MAX_NAME)} (${currency}, HIGH) at ${formatTime(at)}`;

/** What a trigger has to do with an event, in a line. */
export function guardText({ kind, event, since }: TriggerGuard): string {
  if (kind === 'marked') return `Within 5 minutes of ${eventText(event)}`;
  const held = `Held back since ${formatTime(since ?? event.at)} for ${eventText(event)}`;
  return kind === 'late' ? held : `${held}: no longer true when that was over, so it did not fire`;
}

/** What is said where an alert with a guard is run of the past. */
export const GUARD_NOT_REHEARSED =
  'Events are not rehearsed: what would have been marked or held back is listed too.';

/** What the guard does at this moment, in a line without a final stop. @param until epoch ms */
export const guardingText = ({ mode }: EventGuard, event: GuardingEvent): string =>
  mode === 'mark'
    ? `what fires now is marked: within 5 minutes of ${eventText(event)}`
    : `what fires now is held back until ${formatTime(event.at + GUARD_MS)} for ${eventText(event)}`;

/** An alert's choice in words: 'Held back around HIGH events of AUD and USD'. */
export const guardChoiceText = ({ mode, currencies }: EventGuard): string =>
  `${mode === 'mark' ? 'Marked' : 'Held back'} around HIGH events of ${namedAll(currencies)}`;

import { alertTriggers } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import type { Alert } from '#subjects/alerts/rules/alert.ts';
import type { SeenCondition, Trigger } from '#subjects/alerts/rules/trigger.ts';
import { allOf, is, LAST } from './conditions.ts';

/** Monday 16 November 2026, 10:42 in Sydney. */
export const TEN_FORTY_TWO = Date.parse('2026-11-15T23:42:00Z');

export const aSeen = (change: Partial<SeenCondition> = {}): SeenCondition => ({
  left: { text: 'Last', value: 50.61, before: 50.48 },
  op: 'crosses_above',
  right: { text: '50.5', value: 50.5, before: 50.5 },
  holds: true,
  ...change,
});

export const aTrigger = (change: Partial<Trigger> = {}): Trigger => ({
  id: 7,
  alertId: 3,
  userId: 1,
  symbol: 'BHP',
  triggeredAt: TEN_FORTY_TWO,
  marketAt: TEN_FORTY_TWO,
  seen: [aSeen()],
  quoteAt: TEN_FORTY_TWO - 2000,
  source: 'ingest',
  delayMinutes: 0,
  deactivated: false,
  silent: false,
  guard: null,
  ...change,
});

export const anAlert = (change: Partial<Alert> = {}): Alert => ({
  id: 3,
  userId: 1,
  symbol: 'BHP',
  name: 'Breakout',
  active: true,
  persistent: true,
  logic: allOf(is(LAST, 'crosses_above', 50.5)),
  destinations: { telegram: true, discord: false, devices: [] },
  version: 1,
  lastTriggeredAt: null,
  snoozedUntil: null,
  stoppedReason: null,
  note: null,
  expiresAt: null,
  armedAt: null,
  guard: null,
  cooldownMinutes: 1,
  urgent: false,
  group: null,
  sound: null,
  ...change,
});

/** Saves a trigger as the engine does. @returns its id */
export function storeTrigger(db: Db, change: Partial<Trigger>): number {
  const { id: _, ...trigger } = aTrigger(change);
  const row = { ...trigger, seen: [...trigger.seen] };
  return db.insert(alertTriggers).values(row).returning().get().id;
}

import type { Alert } from '../rules/alert.ts';
import { armingLeft } from '../rules/arming.ts';
import { type AlertView, type Delivery, type SentTo, type TriggerView, worstOf } from '../rules/alertView.ts';
import { mannerOf } from '../rules/manner.ts';
import { guardText } from '../rules/eventGuard.ts';
import type { ListedTrigger } from '../rules/triggerList.ts';
import type { Trigger } from '../rules/trigger.ts';

const isoOrNull = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString();

/**
 * @param triggered of the alert's last trigger: `delivery` is null where nothing was to be sent, `marketAt` when it was by
 *   the market's clock, epoch ms
 * @param state.problem what its conditions read that no longer exists, in a sentence; null when everything does
 * @param state.isArming whether it was already true as it was saved, and waits
 * @param state.isUntilOpen whether its conditions can only hold before the open
 * @param now epoch ms: a snooze that is over is none
 */
export const toAlertView = (
  alert: Alert,
  { delivery, marketAt }: { delivery: Delivery | null; marketAt: number | null },
  { problem, isArming, isUntilOpen }: { problem: string | null; isArming: boolean; isUntilOpen: boolean },
  now: number,
): AlertView => ({
  id: alert.id,
  symbol: alert.symbol,
  name: alert.name,
  active: alert.active,
  persistent: alert.persistent,
  logic_json: alert.logic,
  destinations: alert.destinations,
  last_triggered_at: isoOrNull(alert.lastTriggeredAt),
  last_triggered_market_time: isoOrNull(marketAt),
  version: alert.version,
  snoozed_until: isoOrNull((alert.snoozedUntil ?? 0) > now ? alert.snoozedUntil : null),
  stopped_reason: alert.stoppedReason,
  note: alert.note,
  expires_at: isoOrNull(alert.expiresAt),
  event_guard: alert.guard && { mode: alert.guard.mode, currencies: [...alert.guard.currencies] },
  cooldown_minutes: alert.cooldownMinutes,
  ...mannerOf(alert),
  arms_in_ms: isArming ? armingLeft(alert.armedAt, now) : null,
  delivery,
  problem,
  until_open: isUntilOpen,
});

export const toTriggerView = (trigger: Trigger, delivery: Delivery | null): TriggerView => ({
  id: trigger.id,
  timestamp: new Date(trigger.triggeredAt).toISOString(),
  marketTime: new Date(trigger.marketAt).toISOString(),
  seen: [...trigger.seen],
  quoteTime: isoOrNull(trigger.quoteAt),
  source: trigger.source,
  delayMinutes: trigger.delayMinutes,
  deactivated: trigger.deactivated,
  silent: trigger.silent,
  guard: trigger.guard && guardText(trigger.guard),
  withheld: trigger.guard?.kind === 'withheld',
  delivery,
});

/** @param name the alert's; null where it has none */
export const toListedTrigger = (
  trigger: Trigger,
  name: string | null,
  sent: readonly SentTo[],
): ListedTrigger => ({
  ...toTriggerView(trigger, worstOf(sent)),
  kind: 'alert',
  alertId: trigger.alertId,
  name,
  symbol: trigger.symbol,
  symbols: [],
  event: null,
  scan: null,
  sent: [...sent],
});

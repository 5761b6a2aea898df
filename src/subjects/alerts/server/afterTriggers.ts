import type { App } from '#platform/app.ts';
import type { Alert } from '../rules/alert.ts';
import type { Trigger } from '../rules/trigger.ts';
import { createInTurns } from '#lib/turns.ts';
import type { AlertStream } from './stream.ts';

/** Maximum number of triggers whose delivery is followed. Windows read others when they open an alert. */
const MAX_FOLLOWED = 5000;
const MAX_PER_CHECK = 500;

/**
 * Follows the messages of triggers, so that open windows show when they were delivered or given up. The outbox does not
 * know alerts, so it is polled.
 */
export function createDeliveryWatch({ outbox }: App, stream: AlertStream) {
  const followed = new Map<number, Pick<Trigger, 'userId' | 'alertId' | 'symbol'>>();

  function forgetOldest(): void {
    for (const id of followed.keys()) {
      if (followed.size <= MAX_FOLLOWED) return;
      followed.delete(id);
    }
  }

  return {
    add(triggers: readonly Trigger[]): void {
      for (const { id, userId, alertId, symbol, silent } of triggers) {
        if (!silent) followed.set(id, { userId, alertId, symbol });
      }
      forgetOldest();
    },

    check(): void {
      if (followed.size === 0) return;
      const some = [...followed].slice(0, MAX_PER_CHECK);
      const deliveries = outbox.deliveryOf(some.map(([id]) => id));
      for (const [id, trigger] of some) {
        followed.delete(id);
        const delivery = deliveries.get(id);
        // Moved to the end, so that the others are checked first.
        if (delivery === 'waiting') followed.set(id, trigger);
        else if (delivery !== undefined) stream.changed(trigger.userId, trigger.alertId, trigger.symbol);
      }
    },
  };
}

/** Thousands of alerts may fire in one tick, which must not wait for all windows. */
const MAX_NOTIFIED_AT_ONCE = 100;
/** Computing the values of 20 users with 50 alerts each takes some ms. */
const MAX_USERS_A_TICK = 20;

/** Runs after triggers are on disk: updates windows, and releases the values of alerts that are now off. */
export class AfterTriggers {
  private readonly usersWithLess = new Set<number>();
  private readonly notifications;

  /** @param applyDeferred writes pending updates of these users' alerts; throws database errors */
  constructor(
    private readonly app: App,
    private readonly stream: AlertStream,
    private readonly applyDeferred: (userIds: readonly number[]) => void,
  ) {
    this.notifications = createInTurns<Trigger>({
      each: (trigger) => stream.triggered(trigger),
      atOnce: MAX_NOTIFIED_AT_ONCE,
      failure: 'Could not send triggers to open windows',
      later: (run) => void app.schedule(0, run),
      log: app.log.child('alerts'),
    });
  }

  triggered(triggers: readonly Trigger[]): void {
    for (const { userId, deactivated } of triggers) if (deactivated) this.lessRead(userId);
    this.notifications.add(triggers);
  }

  /** Call it for alerts that were stopped without firing. */
  stopped(alerts: readonly Pick<Alert, 'userId' | 'id' | 'symbol'>[]): void {
    for (const { userId, id, symbol } of alerts) {
      this.lessRead(userId);
      this.stream.changed(userId, id, symbol);
    }
  }

  stop(): void {
    this.notifications.clear();
  }

  /** Releases values that are no longer read, for some users; call it at every tick. */
  releaseUnread(): void {
    if (this.usersWithLess.size === 0) return;
    const some = [...this.usersWithLess].slice(0, MAX_USERS_A_TICK);
    try {
      this.applyDeferred(some);
    } catch {
      // The engine logs the error and retries at every tick.
      return;
    }
    for (const userId of some) this.usersWithLess.delete(userId);
    this.app.indicators.alertsChanged(some);
  }

  private lessRead(userId: number): void {
    if (this.app.indicators.hasAlertValues(userId)) this.usersWithLess.add(userId);
  }
}

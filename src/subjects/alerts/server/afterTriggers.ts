import type { App } from '#platform/app.ts';
import type { Alert } from '../rules/alert.ts';
import type { Trigger } from '../rules/trigger.ts';
import { createInTurns } from '#lib/turns.ts';
import type { AlertStream } from './stream.ts';

/** Deliveries that are followed; windows read the others when they open an alert. */
const MAX_FOLLOWED = 5000;
const MAX_A_LOOK = 500;

/**
 * Follows the messages of triggers, so that open windows learn when they were delivered or given up. The outbox does not know
 * alerts, so it is polled.
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

    look(): void {
      if (followed.size === 0) return;
      const some = [...followed].slice(0, MAX_A_LOOK);
      const deliveries = outbox.deliveryOf(some.map(([id]) => id));
      for (const [id, trigger] of some) {
        followed.delete(id);
        const delivery = deliveries.get(id);
        // Waiting ones move behind the others.
        if (delivery === 'waiting') followed.set(id, trigger);
        else if (delivery !== undefined) stream.changed(trigger.userId, trigger.alertId, trigger.symbol);
      }
    },
  };
}

/** In a gap thousands fire in one tick, which must not wait for all windows. */
const MAX_TOLD_AT_ONCE = 100;
/** With 50 alerts each, computing the values of 20 users takes some ms. */
const MAX_USERS_A_TICK = 20;

/** Runs after triggers are on disk: updates windows, and releases the values of alerts that are now off. */
export class AfterTriggers {
  private readonly usersWithLess = new Set<number>();
  private readonly telling;

  /** @param applyDeferred writes what the triggers of these users change of their alerts; throws database errors */
  constructor(
    private readonly app: App,
    private readonly stream: AlertStream,
    private readonly applyDeferred: (userIds: readonly number[]) => void,
  ) {
    this.telling = createInTurns<Trigger>({
      each: (trigger) => stream.triggered(trigger),
      atOnce: MAX_TOLD_AT_ONCE,
      failure: 'Could not send triggers to open windows',
      later: (run) => void app.schedule(0, run),
      log: app.log.child('alerts'),
    });
  }

  triggered(triggers: readonly Trigger[]): void {
    for (const { userId, deactivated } of triggers) if (deactivated) this.lessRead(userId);
    this.telling.add(triggers);
  }

  /** Alerts were stopped that had not fired. */
  stopped(alerts: readonly Pick<Alert, 'userId' | 'id' | 'symbol'>[]): void {
    for (const { userId, id, symbol } of alerts) {
      this.lessRead(userId);
      this.stream.changed(userId, id, symbol);
    }
  }

  stop(): void {
    this.telling.clear();
  }

  /** Releases some unused values; call it at every tick. */
  releaseUnread(): void {
    if (this.usersWithLess.size === 0) return;
    const some = [...this.usersWithLess].slice(0, MAX_USERS_A_TICK);
    try {
      this.applyDeferred(some);
    } catch {
      // The engine retries at every tick and logs it.
      return;
    }
    for (const userId of some) this.usersWithLess.delete(userId);
    this.app.indicators.alertsChanged(some);
  }

  private lessRead(userId: number): void {
    if (this.app.indicators.hasAlertValues(userId)) this.usersWithLess.add(userId);
  }
}

import type { App } from '#platform/app.ts';
import type { Alert } from '../rules/alert.ts';
import type { Trigger } from '../rules/trigger.ts';
import { createInTurns } from '#lib/turns.ts';
import type { AlertStream } from './stream.ts';

/** More are not followed: who looks at such an alert later is told then. */
const MAX_FOLLOWED = 5000;
const MAX_A_LOOK = 500;

/**
 * Follows the messages of triggers, so that windows which show an alert hear when they were delivered or given up. The
 * outbox knows nothing of alerts: it is asked.
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

    /** To be called at every tick. */
    look(): void {
      if (followed.size === 0) return;
      const some = [...followed].slice(0, MAX_A_LOOK);
      const deliveries = outbox.deliveryOf(some.map(([id]) => id));
      for (const [id, trigger] of some) {
        followed.delete(id);
        const delivery = deliveries.get(id);
        // Whatever waits has its next turn after the others.
        if (delivery === 'waiting') followed.set(id, trigger);
        else if (delivery !== undefined) stream.changed(trigger.userId, trigger.alertId, trigger.symbol);
      }
    },
  };
}

/** In a gap thousands fire in one tick, which must not wait until all windows are told. */
const MAX_TOLD_AT_ONCE = 100;
/** With fifty alerts each, the values of twenty users take some milliseconds to be worked out. */
const MAX_USERS_A_TICK = 20;

/** What follows from triggers that are on disk: windows are told, and what an alert read that is off now is let go. */
export class AfterTriggers {
  private readonly usersWithLess = new Set<number>();
  private readonly telling;

  /** @param applyDeferred writes what the triggers of these users change of their alerts; throws what the database throws */
  constructor(
    private readonly app: App,
    private readonly stream: AlertStream,
    private readonly applyDeferred: (userIds: readonly number[]) => void,
  ) {
    this.telling = createInTurns<Trigger>({
      each: (trigger) => stream.triggered(trigger),
      atOnce: MAX_TOLD_AT_ONCE,
      failure: 'Windows could not be told of triggers',
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

  /** Tells nobody any more: who comes back to the next run is told then. */
  stop(): void {
    this.telling.clear();
  }

  /** To be called at every tick: a part of what is not read any more is let go. */
  releaseUnread(): void {
    if (this.usersWithLess.size === 0) return;
    const some = [...this.usersWithLess].slice(0, MAX_USERS_A_TICK);
    try {
      this.applyDeferred(some);
    } catch {
      // The engine tries again at every tick, and says so.
      return;
    }
    for (const userId of some) this.usersWithLess.delete(userId);
    this.app.indicators.alertsChanged(some);
  }

  /** An alert of the user was switched off. */
  private lessRead(userId: number): void {
    if (this.app.indicators.hasAlertValues(userId)) this.usersWithLess.add(userId);
  }
}

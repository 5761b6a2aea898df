import type { Trigger } from '../rules/trigger.ts';
import type { AlertsDeps } from './deps.ts';

/** More are not followed: who looks at such an alert later is told then. */
const MAX_FOLLOWED = 5000;
const MAX_A_LOOK = 500;

/**
 * Follows the messages of triggers, so that windows which show an alert hear when they were delivered or given up. The
 * outbox knows nothing of alerts: it is asked.
 */
export function createDeliveryWatch({ deliveryOf, changed }: Pick<AlertsDeps, 'deliveryOf' | 'changed'>) {
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
      const deliveries = deliveryOf(some.map(([id]) => id));
      for (const [id, trigger] of some) {
        followed.delete(id);
        const delivery = deliveries.get(id);
        // Whatever waits has its next turn after the others.
        if (delivery === 'waiting') followed.set(id, trigger);
        else if (delivery !== undefined) changed(trigger.userId, trigger.alertId, trigger.symbol);
      }
    },
  };
}

import { expiredReason } from '../../rules/expiry.ts';
import type { Entry } from './entries.ts';
import type { AlertOutcome } from './triggers.ts';

/** Stops alerts whose time is over. @param happened takes what is to be written and told of each */
export function createExpiries(happened: (outcome: AlertOutcome) => void) {
  const expiring = new Set<Entry>();
  /** No alert expires before then, epoch ms by the market's clock. */
  let soonest = Number.POSITIVE_INFINITY;

  return {
    /** An alert was put in, or changed. */
    note(entry: Entry): void {
      if (entry.expiresAt === null) return;
      expiring.add(entry);
      soonest = Math.min(soonest, entry.expiresAt);
    },

    /** To be called at each tick, before anything is evaluated. @param now the market's clock */
    stopDue(now: number): void {
      if (now < soonest) return;
      soonest = Number.POSITIVE_INFINITY;
      for (const entry of expiring) {
        const { expiresAt, isGone, isWaiting } = entry;
        if (isGone || expiresAt === null) expiring.delete(entry);
        else if (now < expiresAt || isWaiting) soonest = Math.min(soonest, expiresAt);
        else happened({ entry, trigger: null, reason: expiredReason(expiresAt), stock: null });
      }
    },
  };
}

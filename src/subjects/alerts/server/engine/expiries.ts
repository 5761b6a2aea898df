import { expiredReason } from '#subjects/alerts/rules/expiry.ts';
import type { Entry } from './entries.ts';
import type { AlertOutcome } from './triggerWriter.ts';

/** Stops alerts that expire. */
export class Expiries {
  private readonly expiring = new Set<Entry>();
  /** No alert expires before then, epoch ms by the market's clock. */
  private soonest = Number.POSITIVE_INFINITY;

  /** @param happened takes what is to be written and told of each */
  constructor(private readonly happened: (outcome: AlertOutcome) => void) {}

  /** An alert was put in, or changed. */
  note(entry: Entry): void {
    if (entry.expiresAt === null) return;
    this.expiring.add(entry);
    this.soonest = Math.min(this.soonest, entry.expiresAt);
  }

  /** To be called at each tick, before anything is evaluated. @param now the market's clock */
  stopDue(now: number): void {
    if (now < this.soonest) return;
    this.soonest = Number.POSITIVE_INFINITY;
    for (const entry of this.expiring) {
      const { expiresAt, isGone } = entry;
      // What came true before is told first.
      const isWaiting = entry.isWaiting || entry.held !== null;
      if (isGone || expiresAt === null) this.expiring.delete(entry);
      else if (now < expiresAt || isWaiting) this.soonest = Math.min(this.soonest, expiresAt);
      else this.happened({ entry, trigger: null, reason: expiredReason(expiresAt), stock: null });
    }
  }
}

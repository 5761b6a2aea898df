import { armingLeft } from '#subjects/alerts/rules/alert.ts';
import { NEW } from '#subjects/alerts/rules/firingState.ts';
import { TRUE, type Truth } from '#subjects/alerts/rules/readiness.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Entry } from './entries.ts';

/**
 * Holds back what is already true as an alert is saved or switched on, for as long as `rules/arming.ts` says. When
 * that began is in the alert's row, so it goes on after a restart; that it was true then is found out again.
 */
export class Arming {
  private readonly held = new Set<Entry>();

  /** @param told called when a look at the market, and not the saving itself, found an alert to be true already */
  constructor(
    private readonly clock: SystemClock,
    private readonly told: (entry: Entry) => void,
  ) {}

  /**
   * An alert was put in. One that is false now fires as soon as it is true: that is no slip.
   * @param look says whether its conditions hold; null when that is not known yet
   */
  begin(entry: Entry, look: () => boolean | null): void {
    const left = armingLeft(entry.armedAt, this.clock.now());
    const holds = left > 0 ? look() : false;
    if (holds === false) return;
    entry.armAt = this.clock.monotonic() + left;
    if (holds) this.hold(entry);
  }

  /**
   * Whether an alert that was decided is not to be evaluated yet. Asked only before its `armAt`.
   * @param standing whether its conditions hold without a crossing
   */
  holdsBack(entry: Entry, standing: Truth): boolean {
    if (entry.isArming && !entry.isPriming) return true;
    if (standing !== TRUE || entry.isPriming || entry.firingState !== NEW) {
      this.release(entry);
      return false;
    }
    this.hold(entry);
    this.told(entry);
    return true;
  }

  /** Those whose time is over: they are to be evaluated now. */
  due(): Entry[] {
    if (this.held.size === 0) return [];
    const now = this.clock.monotonic();
    const due = [...this.held].filter(({ armAt, isGone }) => isGone || armAt <= now);
    for (const entry of due) this.release(entry);
    return due;
  }

  private hold(entry: Entry): void {
    entry.isArming = true;
    this.held.add(entry);
  }

  private release(entry: Entry): void {
    this.held.delete(entry);
    entry.isArming = false;
    entry.armAt = Number.NEGATIVE_INFINITY;
  }
}

/** What an alert asked when it was armed last, for the form that takes its place. @param before null where there was none */
export function formerOf(before: Entry | null): Entry['former'] {
  if (before === null) return null;
  const { isArming, former, logicHash, firingState } = before;
  return isArming ? former : { logicHash, firingState };
}

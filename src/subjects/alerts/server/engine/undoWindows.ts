import { undoTimeLeft } from '#subjects/alerts/rules/alert.ts';
import { NEW } from '#subjects/alerts/rules/firingState.ts';
import { TRUE, type Truth } from '#subjects/alerts/rules/readiness.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { ActiveAlert } from './activeAlerts.ts';

/**
 * The undo window of an alert that is already true when it is saved or switched on. The start of the window is in the
 * alert's row and survives a restart; whether the alert was true is evaluated again.
 */
export class UndoWindows {
  private readonly held = new Set<ActiveAlert>();

  /** @param notify called when an evaluation after the save showed that an alert is already true */
  constructor(
    private readonly clock: SystemClock,
    private readonly notify: (entry: ActiveAlert) => void,
  ) {}

  /**
   * Starts the window. An alert that is false now fires normally.
   * @param evaluate whether its conditions hold; null if unknown
   */
  begin(entry: ActiveAlert, evaluate: () => boolean | null): void {
    const left = undoTimeLeft(entry.armedAt, this.clock.now());
    const holds = left > 0 ? evaluate() : false;
    if (holds === false) return;
    entry.armAt = this.clock.monotonic() + left;
    if (holds) this.hold(entry);
  }

  /**
   * Whether an alert must not be evaluated yet. Call it only before `armAt`.
   * @param truth whether its conditions hold without a crossing
   */
  holdsBack(entry: ActiveAlert, truth: Truth): boolean {
    if (entry.isPending && !entry.isPriming) return true;
    if (truth !== TRUE || entry.isPriming || entry.firingState !== NEW) {
      this.release(entry);
      return false;
    }
    this.hold(entry);
    this.notify(entry);
    return true;
  }

  due(): ActiveAlert[] {
    if (this.held.size === 0) return [];
    const now = this.clock.monotonic();
    const due = [...this.held].filter(({ armAt, isGone }) => isGone || armAt <= now);
    for (const entry of due) this.release(entry);
    return due;
  }

  private hold(entry: ActiveAlert): void {
    entry.isPending = true;
    this.held.add(entry);
  }

  private release(entry: ActiveAlert): void {
    this.held.delete(entry);
    entry.isPending = false;
    entry.armAt = Number.NEGATIVE_INFINITY;
  }
}

/** The conditions that an alert had when it was last active; null for none. @param before null for a new alert */
export function formerOf(before: ActiveAlert | null): ActiveAlert['former'] {
  if (before === null) return null;
  const { isPending, former, logicHash, firingState } = before;
  return isPending ? former : { logicHash, firingState };
}

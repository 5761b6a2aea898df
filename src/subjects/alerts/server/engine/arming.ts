import { armingLeft } from '../../rules/arming.ts';
import { NEW } from '../../rules/latch.ts';
import { TRUE, type Truth } from '../../rules/truth.ts';
import type { SystemClock } from '../../../../lib/clock.ts';
import type { Entry } from './entries.ts';

const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Holds back what is already true as an alert is saved or switched on, for as long as `rules/arming.ts` says. When
 * that began is in the alert's row, so it goes on after a restart; that it was true then is found out anew.
 * @param told called when a look at the market, and not the saving itself, found an alert to be true already
 */
export function createArming(clock: SystemClock, told: (entry: Entry) => void) {
  const held = new Set<Entry>();

  function hold(entry: Entry): void {
    entry.isArming = true;
    held.add(entry);
  }

  function release(entry: Entry): void {
    held.delete(entry);
    entry.isArming = false;
    entry.armAt = NEVER;
  }

  return {
    /**
     * An alert was put in. One that is false now fires as soon as it is true: that is no slip.
     * @param look says whether its conditions hold; null when that is not known yet
     */
    begin(entry: Entry, look: () => boolean | null): void {
      const left = armingLeft(entry.armedAt, clock.now());
      const holds = left > 0 ? look() : false;
      if (holds === false) return;
      entry.armAt = clock.monotonic() + left;
      if (holds) hold(entry);
    },

    /**
     * Whether an alert that was decided is not to be evaluated yet. Asked only before its `armAt`.
     * @param standing whether its conditions hold without a crossing
     */
    holdsBack(entry: Entry, standing: Truth): boolean {
      if (entry.isArming && !entry.isPriming) return true;
      if (standing !== TRUE || entry.isPriming || entry.latch !== NEW) {
        release(entry);
        return false;
      }
      hold(entry);
      told(entry);
      return true;
    },

    /** Those whose time is over: they are to be evaluated now. */
    due(): Entry[] {
      if (held.size === 0) return [];
      const now = clock.monotonic();
      const due = [...held].filter(({ armAt, isGone }) => isGone || armAt <= now);
      for (const entry of due) release(entry);
      return due;
    },
  };
}

export type Arming = ReturnType<typeof createArming>;

/** What an alert asked when it was armed last, for the form that takes its place. @param before null where there was none */
export function formerOf(before: Entry | null): Entry['former'] {
  if (before === null) return null;
  return before.isArming ? before.former : { logicHash: before.logicHash, latch: before.latch };
}

import { type Truth, TRUE, UNKNOWN } from '../../../rules/truth.ts';
import { isReady, type Readiness } from '../../../rules/readiness.ts';
import { type OperandText, seenOf } from '../../../rules/seen.ts';
import type { SeenCondition } from '../../../rules/trigger.ts';
import { isActive } from '../../../../../market/rules/halted.ts';
import type { Stock } from '../../../../../market/rules/stock.ts';
import { IN, type Membership, membershipAfter, NEW, OUT } from '../../../rules/scanAlerts/membership.ts';
import type { ScanEvent } from '../../../rules/scanAlerts/scanAlert.ts';
import { scannerSeen } from '../../../rules/scanAlerts/scannerSeen.ts';
import type { Known } from './stocks.ts';
import type { Move, Watch } from './types.ts';
import type { Watches } from './watches.ts';

export type JudgeDeps = {
  watches: Watches;
  textOf: OperandText;
  /** A stock stands elsewhere than before, with or without a move that is told. */
  changed(watch: Watch): void;
  /** Whether any alert would tell of it, by its limits. */
  isWanted(watch: Watch, event: ScanEvent, code: string): boolean;
  moved(move: Move): void;
};

/**
 * A scanner loses all its stocks as its phase of the day ends; that is no leaving. So one is left only while the stock
 * could be in it.
 */
function isLeaving({ scanner }: Watch, { status }: Stock): boolean {
  if (scanner === null) return true;
  return scanner === 'preMarket' ? status === 'Pre Open' : isActive({ status });
}

/** Judges where a stock stands of the scans that were marked, by the values that the columns hold. */
export function createJudge(deps: JudgeDeps) {
  const { program, index, members } = deps.watches;
  let marked: number[] = [];
  let isMarked = new Uint8Array(64);

  function mark(slot: number): void {
    if (isMarked[slot] === 1) return;
    isMarked[slot] = 1;
    marked.push(slot);
  }

  function seen(watch: Watch, stock: Stock): readonly SeenCondition[] {
    return watch.scanner === null
      ? seenOf(program, watch.span, deps.textOf, true)
      : scannerSeen(watch.scanner, stock);
  }

  function move(watch: Watch, event: ScanEvent, stock: Stock): void {
    if (!deps.isWanted(watch, event, stock.code)) return;
    deps.moved({ watch, event, stock, seen: seen(watch, stock) });
  }

  function truthOf(watch: Watch, { number }: Known, before: Membership, readiness: Readiness): Truth {
    const { span } = watch;
    // A scan that does not know the stock yet takes what is known of it, though nothing follows from that.
    const isAsked = before === NEW ? readiness !== 'halted' || span.readsHalt : isReady(readiness, span);
    if (!isAsked) return UNKNOWN;
    for (const { row, comparison } of watch.crossings) {
      const { left, right } = index.before(number, comparison);
      program.setBefore(row, left, right);
    }
    return program.truthOf(span.first, span.count);
  }

  function evaluate(watch: Watch, known: Known, stock: Stock, readiness: Readiness): void {
    const { slot, traits } = watch;
    const before = members.get(slot, known.number);
    const truth = truthOf(watch, known, before, readiness);
    const after = membershipAfter(before, truth, readiness, traits);
    if (after === before) return;
    if (before === OUT && after === IN && truth === TRUE) move(watch, 'enters', stock);
    if (before === IN && !traits.isMomentary && isLeaving(watch, stock)) move(watch, 'leaves', stock);
    members.set(slot, known.number, after);
    deps.changed(watch);
  }

  return {
    /** Has a scan judged for the next stock. */
    mark,
    /** Makes room for so many scans. To be called while none is marked. */
    grow(slots: number): void {
      if (isMarked.length < slots) isMarked = new Uint8Array(slots * 2);
    },
    /** Takes back what was marked. */
    unmark(): void {
      marked = [];
      isMarked.fill(0);
    },
    /** Judges a stock for all scans that were marked. */
    judge(known: Known, stock: Stock, readiness: Readiness): void {
      const isPlain = readiness === 'traded';
      for (const slot of marked) {
        isMarked[slot] = 0;
        const watch = deps.watches.at(slot);
        if (!watch) continue;
        // Nearly all end here: the scan stays as it is for the stock.
        if (isPlain && watch.crossings.length === 0) {
          const { first, count } = watch.span;
          const truth = program.truthOf(first, count);
          const before = members.get(slot, known.number);
          if (before === (truth === TRUE ? IN : OUT) || (truth === UNKNOWN && before !== NEW)) continue;
        }
        evaluate(watch, known, stock, readiness);
      }
      marked.length = 0;
    },
  };
}

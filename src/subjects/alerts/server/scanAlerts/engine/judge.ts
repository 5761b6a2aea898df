import { type Truth, TRUE, UNKNOWN } from '#subjects/alerts/rules/truth.ts';
import { isReady, type Readiness } from '#subjects/alerts/rules/readiness.ts';
import { type OperandText, seenOf } from '#subjects/alerts/rules/seen.ts';
import { isActive } from '#market/rules/halted.ts';
import type { Stock } from '#market/rules/stock.ts';
import {
  IN,
  type Membership,
  membershipAfter,
  NEW,
  OUT,
} from '#subjects/alerts/rules/scanAlerts/membership.ts';
import type { ScanEvent } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { filtersSeen, scannerSeen } from '#subjects/alerts/rules/scanAlerts/scannerSeen.ts';
import type { AlertEngineCore } from '#subjects/alerts/server/engine/types.ts';
import type { Known, Watches } from './watches.ts';
import type { Move, Watch } from './types.ts';

export type JudgeDeps = Pick<AlertEngineCore, 'source'> & {
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
function isLeaving({ scanner }: Watch, { status }: Stock, ignoreStatus: boolean): boolean {
  if (scanner === null) return true;
  return scanner.key === 'preMarket' ? status === 'Pre Open' : ignoreStatus || isActive({ status });
}

/** Judges where a stock stands of the scans that were marked, by the values that the columns hold. */
export class Judge {
  private readonly marked: number[] = [];
  private isMarked = new Uint8Array(64);

  constructor(private readonly deps: JudgeDeps) {}

  /** Makes room for this many scans. To be called while none is marked. */
  grow(slots: number): void {
    if (this.isMarked.length < slots) this.isMarked = new Uint8Array(slots * 2);
  }

  /** Has a scan judged for the next stock. */
  readonly mark = (slot: number): void => {
    if (this.isMarked[slot] === 1) return;
    this.isMarked[slot] = 1;
    this.marked.push(slot);
  };

  /** Takes back what was marked. */
  unmark(): void {
    this.marked.length = 0;
    this.isMarked.fill(0);
  }

  /** Judges a stock for all scans that were marked. */
  judge(known: Known, stock: Stock, readiness: Readiness): void {
    const { watches } = this.deps;
    const isPlain = readiness === 'traded';
    for (const slot of this.marked) {
      this.isMarked[slot] = 0;
      const watch = watches.at(slot);
      if (!watch || (isPlain && this.isAsBefore(watch, known))) continue;
      this.evaluate(watch, known, stock, readiness);
    }
    this.marked.length = 0;
  }

  /** Whether a scan without crossings stays as it is for a stock: so nearly all do. */
  private isAsBefore({ crossings, span, slot }: Watch, { number }: Known): boolean {
    if (crossings.length > 0) return false;
    const { program, members } = this.deps.watches;
    const truth = program.truthOf(span.first, span.count);
    const before = members.get(slot, number);
    return before === (truth === TRUE ? IN : OUT) || (truth === UNKNOWN && before !== NEW);
  }

  private evaluate(watch: Watch, known: Known, stock: Stock, readiness: Readiness): void {
    const { members } = this.deps.watches;
    const { slot, traits } = watch;
    const before = members.get(slot, known.number);
    const truth = this.truthOf(watch, known, before, readiness);
    const after = membershipAfter(before, truth, readiness, traits);
    if (after === before) return;
    if (before === OUT && after === IN && truth === TRUE) this.move(watch, 'enters', stock);
    const couldStay = isLeaving(watch, stock, this.deps.source.ignoreStatus());
    if (before === IN && !traits.isMomentary && couldStay) this.move(watch, 'leaves', stock);
    members.set(slot, known.number, after);
    this.deps.changed(watch);
  }

  private truthOf(watch: Watch, { number }: Known, before: Membership, readiness: Readiness): Truth {
    const { program, index } = this.deps.watches;
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

  private move(watch: Watch, event: ScanEvent, stock: Stock): void {
    const { isWanted, moved, watches, textOf } = this.deps;
    if (!isWanted(watch, event, stock.code)) return;
    const { scanner, filters, span } = watch;
    const own = filters === null ? span : { ...span, count: span.count - 1 };
    const seen =
      scanner === null
        ? [...seenOf(watches.program, own, textOf, true), ...(filters ? filtersSeen(filters, stock) : [])]
        : scannerSeen(scanner, stock);
    moved({ watch, event, stock, seen });
  }
}

import { OperandColumns } from '#subjects/alerts/rules/operandColumns.ts';
import { Program } from '#subjects/alerts/rules/program.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { IgnoresStatus } from '#subjects/conditions/rules/scanFields.ts';
import { IN, type Membership, NEW, traitsOf } from '#subjects/alerts/rules/scanAlerts/membership.ts';
import type { ScanEvent } from '#subjects/alerts/answers/options.ts';
import type { WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import { ScanIndex } from '#subjects/alerts/rules/scanAlerts/scanIndex.ts';
import { hashText, ReadColumns } from '#subjects/alerts/server/engine/activeAlerts.ts';
import type { Entry, Watch } from './types.ts';
import type { DayMemory } from '#subjects/alerts/rules/dayMemory.ts';
import type { Readiness } from '#subjects/alerts/rules/readiness.ts';

export type Known = {
  readonly number: number;
  readonly code: string;
  readonly days: DayMemory;
  /** Readiness at the last evaluation; null before the first, and if all scans must evaluate the stock again. */
  readiness: Readiness | null;
  /** When the split or consolidation was detected that last reset the stock. */
  adjustedAt: number | null;
};

/** Numbers stocks from 0 in order of arrival, and keeps the numbers of an earlier run. */
export class Stocks {
  private readonly byCode = new Map<string, Known>();
  private room = 0;

  /** @param grow makes room for this many stocks */
  constructor(private readonly grow: (stocks: number) => void) {}

  of(code: string): Known {
    return this.byCode.get(code) ?? this.add(code);
  }

  get(code: string): Known | undefined {
    return this.byCode.get(code);
  }

  all(): MapIterator<Known> {
    return this.byCode.values();
  }

  codes(): string[] {
    return [...this.byCode.keys()];
  }

  private add(code: string): Known {
    const days = { quote: null, prior: null };
    const known: Known = { number: this.byCode.size, code, days, readiness: null, adjustedAt: null };
    this.byCode.set(code, known);
    if (this.byCode.size > this.room) {
      this.room = Math.max(512, this.room * 2);
      this.grow(this.room);
    }
    return known;
  }
}

/**
 * Membership of each stock in each scan, by their numbers. Those of one stock are adjacent, because a tick evaluates
 * stocks one by one.
 */
class Members {
  /** Indexed by stock, then by scan. */
  private all = new Uint8Array(0);
  private scans = 64;
  private stocks = 0;

  get(scan: number, stock: number): Membership {
    return (this.all[stock * this.scans + scan] ?? NEW) as Membership;
  }

  set(scan: number, stock: number, member: Membership): void {
    this.all[stock * this.scans + scan] = member;
  }

  growStocks(stocks: number): void {
    this.resize(this.scans, stocks);
  }

  begin(scan: number): void {
    if (scan >= this.scans) this.resize(this.scans * 2, this.stocks);
    for (let stock = 0; stock < this.stocks; stock += 1) this.set(scan, stock, NEW);
  }

  forget(stock: number): void {
    this.all.fill(NEW, stock * this.scans, (stock + 1) * this.scans);
  }

  /** Number of stocks in a scan. @param among the candidates @param isMeant whether a candidate counts */
  countIn(scan: number, among: Iterable<Known>, isMeant: (code: string) => boolean): number {
    let count = 0;
    for (const { number, code } of among) if (this.get(scan, number) === IN && isMeant(code)) count += 1;
    return count;
  }

  private resize(scans: number, stocks: number): void {
    const all = new Uint8Array(scans * stocks);
    for (let stock = 0; stock < Math.min(stocks, this.stocks); stock += 1) {
      all.set(this.all.subarray(stock * this.scans, (stock + 1) * this.scans), stock * scans);
    }
    this.all = all;
    this.scans = scans;
    this.stocks = stocks;
  }
}

export class Watches {
  readonly columns: OperandColumns;
  readonly program: Program;
  readonly index = new ScanIndex();
  readonly members = new Members();
  readonly stocks = new Stocks((room) => {
    this.index.grow(room);
    this.members.growStocks(room);
  });
  readonly reads = new ReadColumns();
  momentary: readonly Watch[] = [];
  private readonly byKey = new Map<string, Watch>();
  private readonly bySlot: (Watch | undefined)[] = [];
  private readonly free: number[] = [];

  constructor(ignoreStatus: IgnoresStatus) {
    this.columns = new OperandColumns(ignoreStatus);
    this.program = new Program(this.columns);
  }

  all(): MapIterator<Watch> {
    return this.byKey.values();
  }

  at(slot: number): Watch | undefined {
    return this.bySlot[slot];
  }

  /** One more than the highest number of a scan. */
  get slots(): number {
    return this.bySlot.length;
  }

  get count(): number {
    return this.byKey.size;
  }

  /** @returns the watch of these conditions, and whether it is new */
  take(logic: Logic, scan: WatchedScan): { watch: Watch; isNew: boolean } {
    // Scans of different owners with equal conditions have the same key.
    const key = JSON.stringify(logic);
    const known = this.byKey.get(key);
    return known ? { watch: known, isNew: false } : { watch: this.add(key, logic, scan), isNew: true };
  }

  join(watch: Watch, event: ScanEvent, entry: Entry): void {
    watch.entries[event].push(entry);
  }

  /** Stops watching for an alert. @returns whether no other alert watches the scan */
  leave(watch: Watch, event: ScanEvent, entry: Entry): boolean {
    const list = watch.entries[event];
    list.splice(list.indexOf(entry), 1);
    if (watch.entries.enters.length + watch.entries.leaves.length > 0) return false;
    this.byKey.delete(watch.key);
    this.bySlot[watch.slot] = undefined;
    this.free.push(watch.slot);
    this.index.remove(watch.slot, watch.comparisons);
    this.countReaders(watch, -1);
    this.program.remove(watch.span);
    return true;
  }

  private add(key: string, logic: Logic, scan: WatchedScan): Watch {
    const { program } = this;
    const span = program.add(logic);
    const rows = Array.from({ length: span.count }, (_, offset) => span.first + offset);
    const comparisons = rows.map((row) => program.comparisonOf(row));
    const crossings = rows.filter((row) => program.isCrossing(row));
    const slot = this.free.pop() ?? this.bySlot.length;
    const watch: Watch = {
      slot,
      hash: hashText(key),
      key,
      span,
      traits: traitsOf(logic),
      comparisons,
      crossings: crossings.map((row) => ({ row, comparison: program.comparisonOf(row) })),
      scanner: scan.type === 'scanner' ? scan : null,
      filters: scan.type === 'scan' ? (scan.filters ?? null) : null,
      entries: { enters: [], leaves: [] },
    };
    this.byKey.set(key, watch);
    this.bySlot[slot] = watch;
    this.members.begin(slot);
    this.index.add(slot, comparisons);
    this.countReaders(watch, 1);
    return watch;
  }

  private countReaders(watch: Watch, by: 1 | -1): void {
    this.reads.count(this.program.columnsOf(watch.span), by);
    this.momentary = [...this.byKey.values()].filter(({ traits }) => traits.isMomentary);
  }
}

import { OperandColumns } from '../../../rules/operandColumns.ts';
import { Program } from '../../../rules/program.ts';
import type { Logic } from '../../../../conditions/rules/condition.ts';
import { traitsOf } from '../../../rules/scanAlerts/membership.ts';
import type { ScanEvent, SharedScanner } from '../../../rules/scanAlerts/scanAlert.ts';
import { ScanIndex } from '../../../rules/scanAlerts/scanIndex.ts';
import { Members } from './members.ts';
import { createStocks } from './stocks.ts';
import type { Entry, Watch } from './types.ts';

/** A number below 2 ** 52 for what a scan asks. */
const hashOf = (key: string): number => Number(BigInt.asUintN(52, BigInt(Bun.hash(key))));

/** What a scan asks, as a text that is the same for scans that ask the same, whoever's they are. */
const keyOf = (logic: Logic): string => JSON.stringify(logic);

/** The scans that alerts watch, compiled, each once; and the stocks that stand in them. */
export function createWatches() {
  const columns = new OperandColumns();
  const program = new Program(columns);
  const index = new ScanIndex();
  const members = new Members();
  const byKey = new Map<string, Watch>();
  const bySlot: (Watch | undefined)[] = [];
  const free: number[] = [];
  /** Columns that are read, and by how many scans. */
  const readers = new Map<number, number>();
  let read: number[] = [];
  /** Those that look for a crossing. */
  let momentary: Watch[] = [];
  const stocks = createStocks((room) => {
    index.grow(room);
    members.growStocks(room);
  });

  function countReaders(watch: Pick<Watch, 'span'>, by: 1 | -1): void {
    for (const column of program.columnsOf(watch.span)) {
      const count = (readers.get(column) ?? 0) + by;
      if (count > 0) readers.set(column, count);
      else readers.delete(column);
    }
    read = [...readers.keys()];
    momentary = [...byKey.values()].filter(({ traits }) => traits.isMomentary);
  }

  function add(key: string, logic: Logic, scanner: SharedScanner | null): Watch {
    const span = program.add(logic);
    const rows = Array.from({ length: span.count }, (_, offset) => span.first + offset);
    const comparisons = rows.map((row) => program.comparisonOf(row));
    const slot = free.pop() ?? bySlot.length;
    const watch: Watch = {
      slot,
      hash: hashOf(key),
      key,
      span,
      traits: traitsOf(logic),
      comparisons,
      crossings: rows
        .filter((row) => program.isCrossing(row))
        .map((row) => ({ row, comparison: program.comparisonOf(row) })),
      scanner,
      entries: { enters: [], leaves: [] },
    };
    byKey.set(key, watch);
    bySlot[slot] = watch;
    members.begin(slot);
    index.add(slot, comparisons);
    countReaders(watch, 1);
    return watch;
  }

  return {
    program,
    columns,
    index,
    members,
    stocks,
    all: (): Iterable<Watch> => byKey.values(),
    at: (slot: number): Watch | undefined => bySlot[slot],
    /** The columns that scans read. */
    read: (): readonly number[] => read,
    momentary: (): readonly Watch[] => momentary,
    /** One more than the highest number of a scan. */
    slots: (): number => bySlot.length,
    count: (): number => byKey.size,

    /** @returns the watch of what is asked, and whether it is a new one */
    take(logic: Logic, scanner: SharedScanner | null): { watch: Watch; isNew: boolean } {
      const key = keyOf(logic);
      const known = byKey.get(key);
      return known ? { watch: known, isNew: false } : { watch: add(key, logic, scanner), isNew: true };
    },

    join: (watch: Watch, event: ScanEvent, entry: Entry): void => void watch.entries[event].push(entry),

    /** An alert does not ask it any more. @returns whether none does, so that it is gone */
    leave(watch: Watch, event: ScanEvent, entry: Entry): boolean {
      const list = watch.entries[event];
      list.splice(list.indexOf(entry), 1);
      if (watch.entries.enters.length + watch.entries.leaves.length > 0) return false;
      byKey.delete(watch.key);
      bySlot[watch.slot] = undefined;
      free.push(watch.slot);
      index.remove(watch.slot, watch.comparisons);
      countReaders(watch, -1);
      program.remove(watch.span);
      return true;
    },
  };
}

export type Watches = ReturnType<typeof createWatches>;

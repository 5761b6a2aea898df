import {
  type NumberOperand,
  type Operand,
  operandId,
  type ScanRef,
} from '#subjects/conditions/rules/operand.ts';
import { type Reader, readerOf } from '#subjects/conditions/rules/evaluator.ts';
import type { Stock } from '#market/rules/stock.ts';
import { type IgnoresStatus, isScanField, isScanKnown } from '#subjects/conditions/rules/scanFields.ts';
import { isAuctionField, isHaltField, isOpeningField, isTradedField, type Readiness } from './readiness.ts';

/** What has a column. Texts stand for the question whether the sector is one of them: 1 yes, 0 no. */
export type ColumnOperand = Exclude<Operand, NumberOperand>;

/** What a column is whose value follows from those of others: a saved scan's, from its conditions. */
export type Derived = {
  /** The columns that it follows from. */
  readonly sources: readonly number[];
  readonly isAuction: boolean;
  readonly isOfHalt: boolean;
  /** Of the values at hand; null when they do not tell. */
  read(): number | null;
  /** Nobody reads the column any more. */
  release(): void;
};

type Column = {
  readonly id: string;
  operand: ColumnOperand;
  readonly read: Reader;
  readonly derived: Derived | null;
  /** It says what was traded, so it is known only in a stock with a price of the day. */
  readonly isTraded: boolean;
  /** It is live in an auction. */
  readonly isAuction: boolean;
  /** It exists only in an auction. */
  readonly isOpening: boolean;
  /** It is known while the stock is halted, when nothing else is. */
  readonly isOfHalt: boolean;
  users: number;
};

function columnReader(operand: ColumnOperand, ignoreStatus?: IgnoresStatus): Reader {
  if (operand.type !== 'text') return readerOf(operand, ignoreStatus);
  const listed = new Set(operand.values);
  return ({ sector }) => (sector === null ? null : listed.has(sector) ? 1 : 0);
}

function newColumn(id: string, operand: ColumnOperand, ignoreStatus?: IgnoresStatus): Column {
  const isField = operand.type === 'field';
  return {
    id,
    operand,
    read: columnReader(operand, ignoreStatus),
    derived: null,
    isTraded: isField && isTradedField(operand.key),
    isAuction: isField && isAuctionField(operand.key),
    isOpening: isField && isOpeningField(operand.key),
    isOfHalt: isField && isHaltField(operand.key),
    users: 1,
  };
}

function newDerived(id: string, operand: ScanRef, derived: Derived): Column {
  const { isAuction, isOfHalt, read } = derived;
  return { id, operand, read, derived, isTraded: false, isAuction, isOpening: false, isOfHalt, users: 1 };
}

const NO_SOURCES: readonly number[] = [];

function isKnownIn(column: Column, readiness: Readiness, stock: Stock): boolean {
  const { isTraded, isOpening, isOfHalt, operand, derived } = column;
  // What a derived one follows from is known or not by itself.
  if (derived !== null) return true;
  // A source that sends only changes leaves the last match price in the record.
  if (readiness === 'traded') return !isOpening || stock.status !== 'Open';
  if (readiness !== 'auction') return isOfHalt;
  if (operand.type === 'field' && isScanField(operand.key)) return isScanKnown(operand.key, stock);
  return !isTraded;
}

/**
 * The values that the alerts of all stocks read, a column each. There is one row of values: that of the stock at hand.
 * An unknown value is NaN.
 */
export class OperandColumns {
  /** By column. Replaced when it grows. */
  values = new Float64Array(64);
  private readonly columns: (Column | null)[] = [];
  private readonly byId = new Map<string, number>();
  private readonly free: number[] = [];

  /** @param ignoreStatus asked by conditions on a scanner */
  constructor(private readonly ignoreStatus?: IgnoresStatus) {}

  /** @returns the operand's column, the same for equal operands; `release` gives it back */
  take(operand: Exclude<ColumnOperand, ScanRef>): number {
    const id = operandId(operand);
    return this.share(id) ?? this.put(newColumn(id, operand, this.ignoreStatus));
  }

  /**
   * @param id the same for what has the same values
   * @param derive makes what the value follows from, where no column has that id
   * @returns the column; `release` gives it back
   */
  takeDerived(id: string, operand: ScanRef, derive: () => Derived): number {
    return this.share(id) ?? this.put(newDerived(id, operand, derive()));
  }

  release(column: number): void {
    const taken = this.columns[column];
    if (!taken) return;
    taken.users -= 1;
    if (taken.users > 0) return;
    this.byId.delete(taken.id);
    this.columns[column] = null;
    this.free.push(column);
    taken.derived?.release();
  }

  /** How many saved scans are read. */
  scanCount(): number {
    return this.columns.filter((column) => column?.derived).length;
  }

  /** Gives the columns of a saved scan the name that it has now. */
  rename(scan: ScanRef): void {
    for (const column of this.columns) {
      if (column?.operand.type === 'scan' && column.operand.id === scan.id) column.operand = scan;
    }
  }

  /**
   * Reads these columns off a stock; without one all are unknown. A derived column stands behind those that it follows
   * from.
   * @param now ms on the market's clock
   * @param readiness what of the stock is known
   */
  read(columns: readonly number[], stock: Stock | null, now: number, readiness: Readiness): void {
    const { values } = this;
    for (const index of columns) {
      const column = this.columns[index];
      const isKnown = stock && column && isKnownIn(column, readiness, stock);
      values[index] = isKnown ? (column.read(stock, now) ?? Number.NaN) : Number.NaN;
    }
  }

  /** The columns that a column's value follows from; none for one that is read off the stock. */
  sourcesOf(column: number): readonly number[] {
    return this.columns[column]?.derived?.sources ?? NO_SOURCES;
  }

  operandOf(column: number): ColumnOperand {
    const taken = this.columns[column];
    if (!taken) throw new RangeError(`There is no operand in column ${column}.`);
    return taken.operand;
  }

  isAuction(column: number): boolean {
    return this.columns[column]?.isAuction ?? false;
  }

  isOfHalt(column: number): boolean {
    return this.columns[column]?.isOfHalt ?? false;
  }

  /** The column of that id with one user more; null when there is none. */
  private share(id: string): number | null {
    const known = this.byId.get(id);
    const existing = known === undefined ? null : this.columns[known];
    if (known === undefined || !existing) return null;
    existing.users += 1;
    return known;
  }

  private put(column: Column): number {
    const index = this.free.pop() ?? this.columns.length;
    this.columns[index] = column;
    this.byId.set(column.id, index);
    if (index >= this.values.length) {
      const grown = new Float64Array(this.values.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    return index;
  }
}

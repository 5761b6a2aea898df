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

/** An operand with a column. A text operand has the value 1 if the sector is in its list, otherwise 0. */
export type ColumnOperand = Exclude<Operand, NumberOperand>;

/** A column that is computed from others; for a saved scan, from its conditions. */
export type Derived = {
  readonly sources: readonly number[];
  readonly isAuction: boolean;
  readonly isOfHalt: boolean;
  /** Computes the value from the current columns; null if they do not decide. */
  read(): number | null;
  /** Called after the last user released the column. */
  release(): void;
};

type Column = {
  readonly id: string;
  operand: ColumnOperand;
  readonly read: Reader;
  readonly derived: Derived | null;
  /** True if the value is known only for a stock with trades on the day. */
  readonly isTraded: boolean;
  readonly isAuction: boolean;
  readonly isOpening: boolean;
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
  // A derived column is known if its sources are.
  if (derived !== null) return true;
  // A source that sends only changes leaves the last match price in the stock.
  if (readiness === 'traded') return !isOpening || stock.status !== 'Open';
  if (readiness !== 'auction') return isOfHalt;
  if (operand.type === 'field' && isScanField(operand.key)) return isScanKnown(operand.key, stock);
  return !isTraded;
}

/** One column per value that alerts read. There is one row, for the current stock. NaN means unknown. */
export class OperandColumns {
  values = new Float64Array(64);
  private readonly columns: (Column | null)[] = [];
  private readonly byId = new Map<string, number>();
  private readonly free: number[] = [];

  /** @param ignoreStatus used by conditions on a scanner */
  constructor(private readonly ignoreStatus?: IgnoresStatus) {}

  /** @returns the operand's column, which equal operands share; `release` gives it back */
  take(operand: Exclude<ColumnOperand, ScanRef>): number {
    const id = operandId(operand);
    return this.share(id) ?? this.put(newColumn(id, operand, this.ignoreStatus));
  }

  /**
   * @param id equal for equal values
   * @param derive called if no column has the id
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

  scanCount(): number {
    return this.columns.filter((column) => column?.derived).length;
  }

  /** Updates a saved scan's name in its columns. */
  rename(scan: ScanRef): void {
    for (const column of this.columns) {
      if (column?.operand.type === 'scan' && column.operand.id === scan.id) column.operand = scan;
    }
  }

  /**
   * Reads these columns of a stock; without a stock all are unknown. Sources come before the columns derived from them.
   * @param now epoch ms by the market's clock
   */
  read(columns: readonly number[], stock: Stock | null, now: number, readiness: Readiness): void {
    const { values } = this;
    for (const index of columns) {
      const column = this.columns[index];
      const isKnown = stock && column && isKnownIn(column, readiness, stock);
      values[index] = isKnown ? (column.read(stock, now) ?? Number.NaN) : Number.NaN;
    }
  }

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

  /** Adds a use of the column with that id. Returns its index; null if there is none. */
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

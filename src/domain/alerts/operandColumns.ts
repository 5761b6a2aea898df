import type { Operand, NumberOperand } from '../conditions/operand.ts';
import { operandId } from '../conditions/operandText.ts';
import { type Reader, readerOf } from '../conditions/reader.ts';
import type { Stock } from '../market/stock.ts';
import { isScanField, isScanKnown } from '../conditions/scanFields.ts';
import { isAuctionField, isHaltField, isTradedField, type Readiness } from './readiness.ts';

/** What has a column. Texts stand for the question whether the sector is one of them: 1 yes, 0 no. */
export type ColumnOperand = Exclude<Operand, NumberOperand>;

type Column = {
  readonly id: string;
  readonly operand: ColumnOperand;
  readonly read: Reader;
  /** It says what was traded, so it is known only in a stock with a price of the day. */
  readonly isTraded: boolean;
  /** It is live in an auction. */
  readonly isAuction: boolean;
  /** It is known while the stock is halted, when nothing else is. */
  readonly isOfHalt: boolean;
  users: number;
};

function columnReader(operand: ColumnOperand): Reader {
  if (operand.type !== 'text') return readerOf(operand);
  const listed = new Set(operand.values);
  return ({ sector }) => (sector === null ? null : listed.has(sector) ? 1 : 0);
}

function isKnownIn({ isTraded, isOfHalt, operand }: Column, readiness: Readiness, stock: Stock): boolean {
  if (readiness === 'traded') return true;
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

  /** @returns the operand's column, the same for equal operands; `release` gives it back */
  take(operand: ColumnOperand): number {
    const id = operandId(operand);
    const known = this.byId.get(id);
    const existing = known === undefined ? null : this.columns[known];
    if (known !== undefined && existing) {
      existing.users += 1;
      return known;
    }
    const column = this.free.pop() ?? this.columns.length;
    const isField = operand.type === 'field';
    this.columns[column] = {
      id,
      operand,
      read: columnReader(operand),
      isTraded: isField && isTradedField(operand.key),
      isAuction: isField && isAuctionField(operand.key),
      isOfHalt: isField && isHaltField(operand.key),
      users: 1,
    };
    this.byId.set(id, column);
    if (column >= this.values.length) {
      const grown = new Float64Array(this.values.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    return column;
  }

  release(column: number): void {
    const taken = this.columns[column];
    if (!taken) return;
    taken.users -= 1;
    if (taken.users > 0) return;
    this.byId.delete(taken.id);
    this.columns[column] = null;
    this.free.push(column);
  }

  /**
   * Reads these columns off a stock; without one all are unknown.
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
}

import { sideOf } from '#subjects/conditions/rules/evaluator.ts';
import {
  type Condition,
  isGroup,
  type Logic,
  type Operator,
  OPERATORS,
} from '#subjects/conditions/rules/condition.ts';
import { type NumberOperand, type Operand, operandId } from '#subjects/conditions/rules/operand.ts';
import { NO_SCANS, type ScanOf, watchable } from '#subjects/conditions/rules/savedScan.ts';
import type { Derived, OperandColumns } from './operandColumns.ts';
import { FALSE, type LiveReads, TRUE, type Truth, UNKNOWN } from './readiness.ts';

/** The rows of an alert's compiled conditions in the program. */
export type Span = LiveReads & {
  readonly first: number;
  readonly count: number;
  readonly hasCrossings: boolean;
};

/** When each plain operator of OPERATORS holds: bit 0 if left < right, bit 1 if equal, bit 2 if left > right. */
const HOLDS_AT = Uint8Array.of(0b100, 0b110, 0b010, 0b101, 0b011, 0b001);

const grown = <T extends Uint8Array | Int32Array | Float64Array>(array: T, bigger: T): T => {
  bigger.set(array);
  return bigger;
};

const NO_COLUMN = -1;
/** The crossings are the last two operators. */
const CROSSES_ABOVE = OPERATORS.indexOf('crosses_above');

/**
 * The compiled conditions of all alerts: one row per condition in typed arrays, adjacent per alert. Evaluation does not
 * allocate.
 */
export class Program {
  private op = new Uint8Array(256);
  private left = new Int32Array(256);
  private right = new Int32Array(256);
  private constant = new Float64Array(256);
  /** The condition's group in its alert, from 1; 0 outside groups. */
  private group = new Uint8Array(256);
  /** Both sides of a crossing at its last evaluation; NaN before that. */
  private leftBefore = new Float64Array(256);
  private rightBefore = new Float64Array(256);
  private end = 0;
  private ignoresCrossings = false;
  /** First rows of free runs, by length. */
  private readonly free = new Map<number, number[]>();

  constructor(readonly columns: OperandColumns) {}

  /**
   * Compiles conditions. Crossings start without previous values.
   * @param scanOf the saved scans, which are compiled too; an unreadable one always gives unknown
   */
  add(logic: Logic, scanOf: ScanOf = NO_SCANS): Span {
    const members = logic.conditions.map((member) => (isGroup(member) ? member.conditions : [member]));
    const count = members.reduce((sum, list) => sum + list.length, 0);
    const first = this.take(count);
    let row = first;
    let groups = 0;
    let hasCrossings = false;
    let readsAuction = false;
    let readsHalt = false;
    for (const [index, list] of members.entries()) {
      const member = logic.conditions[index];
      if (member && isGroup(member)) groups += 1;
      for (const condition of list) {
        this.group[row] = member && isGroup(member) ? groups : 0;
        this.compile(row, condition, scanOf);
        hasCrossings ||= this.isCrossing(row);
        for (const column of [this.left[row], this.right[row]]) {
          readsAuction ||= this.columns.isAuction(column ?? NO_COLUMN);
          readsHalt ||= this.columns.isOfHalt(column ?? NO_COLUMN);
        }
        row += 1;
      }
    }
    return { first, count, hasCrossings, readsAuction, readsHalt };
  }

  remove({ first, count }: Span): void {
    for (let row = first; row < first + count; row += 1) {
      this.columns.release(this.left[row] ?? NO_COLUMN);
      this.columns.release(this.right[row] ?? NO_COLUMN);
    }
    const same = this.free.get(count);
    if (same) same.push(first);
    else this.free.set(count, [first]);
  }

  /** The result of a range of rows; unknown if it is empty. */
  truthOf(first: number, count: number): Truth {
    const { group } = this;
    const end = first + count;
    let all: Truth = count === 0 ? UNKNOWN : TRUE;
    let row = first;
    while (row < end) {
      let one = this.test(row);
      const own = group[row];
      row += 1;
      while (own !== 0 && row < end && group[row] === own) {
        const other = this.test(row);
        if (other > one) one = other;
        row += 1;
      }
      if (one === FALSE) return FALSE;
      if (one < all) all = one;
    }
    return all;
  }

  /** Like `truthOf`, but with every crossing false. */
  currentTruthOf(first: number, count: number): Truth {
    this.ignoresCrossings = true;
    const truth = this.truthOf(first, count);
    this.ignoresCrossings = false;
    return truth;
  }

  /** The result of one condition. A crossing is false without previous values in the other order. */
  test(row: number): Truth {
    const left = this.leftOf(row);
    const right = this.rightOf(row);
    // Only NaN is unequal to itself.
    if (left !== left || right !== right) return UNKNOWN;
    const side = sideOf(left, right);
    const op = this.op[row] ?? 0;
    if (op < CROSSES_ABOVE) return ((HOLDS_AT[op] ?? 0) >> (side + 1)) & 1 ? TRUE : FALSE;
    const to = this.crossesTo(row);
    if (side !== to || this.ignoresCrossings) return FALSE;
    const before = this.leftBefore[row] ?? Number.NaN;
    if (before !== before) return FALSE;
    return sideOf(before, this.rightBefore[row] ?? Number.NaN) === to ? FALSE : TRUE;
  }

  /**
   * Stores the current values as the previous ones of an alert's crossings, if both sides are known. Call it after
   * every evaluation with a result.
   * @returns whether this can change the next result: there were no previous values, or the order of the sides changed
   */
  note(first: number, count: number): boolean {
    let hasChanged = false;
    for (let row = first; row < first + count; row += 1) {
      if (!this.isCrossing(row)) continue;
      const left = this.leftOf(row);
      const right = this.rightOf(row);
      if (left !== left || right !== right) continue;
      const before = this.leftBefore[row] ?? Number.NaN;
      const to = this.crossesTo(row);
      const wasThere = sideOf(before, this.rightBefore[row] ?? Number.NaN) === to;
      hasChanged ||= before !== before || wasThere !== (sideOf(left, right) === to);
      this.leftBefore[row] = left;
      this.rightBefore[row] = right;
    }
    return hasChanged;
  }

  setBefore(row: number, left: number, right: number): void {
    this.leftBefore[row] = left;
    this.rightBefore[row] = right;
  }

  forget(first: number, count: number): void {
    for (let row = first; row < first + count; row += 1) this.setBefore(row, Number.NaN, Number.NaN);
  }

  /** 1 for a crossing above, −1 for one below. */
  private crossesTo(row: number): number {
    return this.op[row] === CROSSES_ABOVE ? 1 : -1;
  }

  isCrossing(row: number): boolean {
    return (this.op[row] ?? 0) >= CROSSES_ABOVE;
  }

  /** Whether a row compares the sector with a list; its numbers have no meaning for users. */
  isText(row: number): boolean {
    return this.columns.operandOf(this.left[row] ?? NO_COLUMN).type === 'text';
  }

  leftOf(row: number): number {
    return this.columns.values[this.left[row] ?? NO_COLUMN] ?? Number.NaN;
  }

  rightOf(row: number): number {
    const column = this.right[row] ?? NO_COLUMN;
    return (column === NO_COLUMN ? this.constant[row] : this.columns.values[column]) ?? Number.NaN;
  }

  leftBeforeOf(row: number): number {
    return this.leftBefore[row] ?? Number.NaN;
  }

  rightBeforeOf(row: number): number {
    return this.rightBefore[row] ?? Number.NaN;
  }

  conditionOf(row: number): Condition {
    const op = this.operatorOf(row);
    const left = this.columns.operandOf(this.left[row] ?? NO_COLUMN);
    if (left.type === 'text') return { lhs: { type: 'field', key: 'sector' }, op, rhs: left };
    const column = this.right[row] ?? NO_COLUMN;
    if (column !== NO_COLUMN) return { lhs: left, op, rhs: this.columns.operandOf(column) };
    return { lhs: left, op, rhs: { type: 'number', value: this.constant[row] ?? Number.NaN } };
  }

  comparisonOf(row: number): Comparison {
    const [left = NO_COLUMN, right = NO_COLUMN] = [this.left[row], this.right[row]];
    return { left, right: right === NO_COLUMN ? null : right, level: this.constant[row] ?? Number.NaN };
  }

  /** The columns that a program reads, without duplicates; sources come before the columns derived from them. */
  columnsOf({ first, count }: Span): number[] {
    // A list, because an alert reads few columns, and thousands of sets would be slow.
    const used: number[] = [];
    const addOnce = (column: number): void => {
      if (column === NO_COLUMN || used.includes(column)) return;
      for (const source of this.columns.sourcesOf(column)) addOnce(source);
      used.push(column);
    };
    for (let row = first; row < first + count; row += 1) {
      addOnce(this.left[row] ?? NO_COLUMN);
      addOnce(this.right[row] ?? NO_COLUMN);
    }
    return used;
  }

  private compile(row: number, { lhs, op, rhs }: Condition, scanOf: ScanOf): void {
    // The column of a sector list is 1 or 0 and is compared with 1.
    const hasConstant = rhs.type === 'text' || rhs.type === 'number';
    // Looked up before the arrays are read, because compiling a saved scan may replace them.
    const left = this.column(rhs.type === 'text' ? rhs : lhs, scanOf);
    const right = hasConstant ? NO_COLUMN : this.column(rhs, scanOf);
    this.op[row] = OPERATORS.indexOf(op);
    this.left[row] = left;
    this.right[row] = right;
    this.constant[row] = rhs.type === 'number' ? rhs.value : 1;
    this.setBefore(row, Number.NaN, Number.NaN);
  }

  private column(operand: Exclude<Operand, NumberOperand>, scanOf: ScanOf): number {
    if (operand.type !== 'scan') return this.columns.take(operand);
    const logic = watchable(scanOf(operand.id));
    const id = `${operandId(operand)} ${JSON.stringify(logic)}`;
    return this.columns.takeDerived(id, operand, () => this.derive(logic));
  }

  /** A column with the result of a saved scan. @param logic null for an unreadable scan: its result is unknown */
  private derive(logic: Logic | null): Derived {
    const span = this.add(logic ?? { op: 'AND', conditions: [] });
    const { first, count, readsAuction, readsHalt } = span;
    return {
      sources: this.columnsOf(span),
      isAuction: readsAuction,
      isOfHalt: readsHalt,
      read: () => {
        const truth = this.truthOf(first, count);
        return truth === UNKNOWN ? null : truth === TRUE ? 1 : 0;
      },
      release: () => this.remove(span),
    };
  }

  private operatorOf(row: number): Operator {
    return OPERATORS[this.op[row] ?? 0] ?? '>';
  }

  private take(count: number): number {
    const reused = this.free.get(count)?.pop();
    if (reused !== undefined) return reused;
    const first = this.end;
    this.end += count;
    while (this.end > this.op.length) this.grow();
    return first;
  }

  private grow(): void {
    const size = this.op.length * 2;
    this.op = grown(this.op, new Uint8Array(size));
    this.group = grown(this.group, new Uint8Array(size));
    this.left = grown(this.left, new Int32Array(size));
    this.right = grown(this.right, new Int32Array(size));
    this.constant = grown(this.constant, new Float64Array(size));
    this.leftBefore = grown(this.leftBefore, new Float64Array(size));
    this.rightBefore = grown(this.rightBefore, new Float64Array(size));
  }
}

export type Comparison = {
  left: number;
  right: number | null;
  level: number;
};

import type { StockSession } from '#market/sessions/rules/sessionDay.ts';
import { percentOf } from '#market/derive.ts';
import { pips } from '#market/rules/priceStep.ts';
import {
  filtersOfScan,
  type ScanFilters,
  type ScannerFilters,
  usualFilters,
} from '#market/scanners/rules/filters.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { type Condition, isGroup, type Logic, type Operator } from '#subjects/conditions/rules/condition.ts';
import { sideOf } from '#subjects/conditions/rules/evaluator.ts';
import type { Operand } from '#subjects/conditions/rules/operand.ts';
import { scanOfField, SCAN_BORDER } from '#subjects/conditions/rules/scanFields.ts';
import {
  DERIVED_SERIES,
  SESSION_SERIES,
  type SeriesKey,
  type SessionSeries,
} from '#market/sessions/series.ts';

/**
 * Conditions that are quickly shown to fail, so that the program evaluates few rows. They only leave out rows in which
 * the conditions cannot all hold; the program decides the others.
 */

type Side = { series: SeriesKey } | { of(stock: StockSession): number };
/** `holds`: bit 0 if left < right, bit 1 if equal, bit 2 if left > right. */
type Check = { left: Side; right: Side; holds: number };
/** Checks of which at least one must hold. */
type AnyCheck = readonly Check[];

export const HOLDS: Readonly<Record<Operator, number>> = {
  '>': 0b100,
  '>=': 0b110,
  '==': 0b010,
  '!=': 0b101,
  '<=': 0b011,
  '<': 0b001,
  // Necessary for a crossing; whether the sides were in the other order before is not checked.
  crosses_above: 0b100,
  crosses_below: 0b001,
};

const BELOW = 0b001;
const EQUAL = 0b010;
const ABOVE = 0b100;

const KEYS: readonly string[] = [...SESSION_SERIES, ...DERIVED_SERIES];
const isSeries = (key: string): key is SeriesKey => KEYS.includes(key);

const number = (value: number): Side => ({ of: () => value });
const series = (key: SeriesKey): Side => ({ series: key });
const check = (key: SeriesKey, op: Operator, value: number): Check => ({
  left: series(key),
  right: number(value),
  holds: HOLDS[op],
});
const CLOSE: Side = { of: ({ close }) => close };

function sideOfOperand(operand: Operand): Side | null {
  if (operand.type === 'number') return number(operand.value);
  if (operand.type !== 'field') return null;
  if (operand.key === 'close') return CLOSE;
  return isSeries(operand.key) ? series(operand.key) : null;
}

function sectorCheck({ op, rhs }: Condition): Check | null {
  if (rhs.type !== 'text') return null;
  const listed = new Set(rhs.values);
  return {
    left: { of: ({ sector }) => (sector === null ? Number.NaN : listed.has(sector) ? 1 : 0) },
    right: number(1),
    holds: HOLDS[op],
  };
}

function plainCheck(condition: Condition): Check | null {
  if (condition.rhs.type === 'text') return sectorCheck(condition);
  const left = sideOfOperand(condition.lhs);
  const right = sideOfOperand(condition.rhs);
  return left && right && { left, right, holds: HOLDS[condition.op] };
}

function filterChecks(filters: ScannerFilters, scanner: ScannerKey): AnyCheck[] {
  const { minValue, minChange, newsOnly, sensitiveOnly, securities, sector } = filters;
  const found: AnyCheck[] = [];
  const traded = check('value', '>=', minValue);
  const matched = check('match_value', '>=', minValue * 0.99);
  if (minValue > 0)
    found.push(scanner === 'preMarket' ? [matched] : scanner === 'custom' ? [traded, matched] : [traded]);
  if (minChange !== undefined) found.push([check('change_percent', '>=', minChange)]);
  if (newsOnly || sensitiveOnly) found.push([check('has_news', '>', 0)]);
  const fact = (isTrue: (stock: StockSession) => boolean): AnyCheck => [
    { left: { of: (stock) => Number(isTrue(stock)) }, right: number(1), holds: HOLDS['=='] },
  ];
  if (securities) found.push(fact(({ isFund }) => isFund === (securities === 'funds')));
  if (sector !== undefined) found.push(fact((stock) => stock.sector === sector));
  return found;
}

const LARGE_CAP = 1e9;

const mover: AnyCheck = [
  check('change_percent', '>=', 0),
  { left: CLOSE, right: series('vwap'), holds: ABOVE },
];

function scannerChecks(scanner: ScannerKey, filters: ScanFilters, ignoreStatus: boolean): AnyCheck[] {
  const own = filterChecks(filtersOfScan(filters), scanner);
  const isOpened = check('open', scanner === 'intraDaySmall' ? '<' : '>=', 1);
  switch (scanner) {
    case 'preMarket':
      return [
        [check('status', '==', 0)],
        [check('gap_percent', filters.gaps === 'down' ? '<' : '>', 0)],
        ...own,
      ];
    case 'intraDaySmall':
    case 'intraDayMidLarge':
      // If scanners ignore the status, a stock in the pre-open counts by its match value.
      return [[isOpened], mover, ...(ignoreStatus ? [] : own)];
    case 'intraDayLargeCap':
      return [[check('marketCap', '>=', LARGE_CAP)], mover, ...(ignoreStatus ? [] : own)];
    case 'custom':
      return own;
  }
}

/** Checks that a condition implies, all of which must hold; empty if there are none. */
function checksOf(condition: Condition, ignoreStatus: boolean): AnyCheck[] {
  const { lhs, rhs, op } = condition;
  const scan = lhs.type === 'field' ? scanOfField(lhs.key) : null;
  if (scan) {
    const isIn = (op === '>' || op === 'crosses_above') && rhs.type === 'number' && rhs.value === SCAN_BORDER;
    return isIn ? scannerChecks(scan.scanner, scan.filters ?? usualFilters(scan.scanner), ignoreStatus) : [];
  }
  const plain = plainCheck(condition);
  return plain ? [[plain]] : [];
}

export function compileChecks(logic: Logic, ignoreStatus: boolean): AnyCheck[] {
  return logic.conditions.flatMap((member): AnyCheck[] => {
    if (!isGroup(member)) return checksOf(member, ignoreStatus);
    const any = member.conditions.map(plainCheck);
    return any.every((one) => one !== null) ? [any] : [];
  });
}

/** The least and the most that a value can be on a day; NaN if it is never known. */
type Range = { from: number; until: number };

const SLACK = 1.01;

function rangeOf(side: Side, stock: StockSession): Range {
  if (!('series' in side)) {
    const value = side.of(stock);
    return { from: value, until: value };
  }
  const { close, dayHigh, dayLow, dayOpen, dayVolume, dayValue } = stock;
  const between = (of: (price: number) => number | null): Range => ({
    from: of(dayLow) ?? Number.NaN,
    until: of(dayHigh) ?? Number.NaN,
  });
  switch (side.series) {
    case 'last':
      return { from: dayLow, until: dayHigh };
    case 'open':
      return { from: dayOpen, until: dayOpen };
    case 'high':
      return { from: dayOpen, until: dayHigh };
    case 'low':
      return { from: dayLow, until: dayOpen };
    case 'volume':
      return { from: 0, until: dayVolume };
    case 'value':
      return { from: 0, until: dayValue };
    case 'vwap':
      // Values are rounded to cents, so the first shares of a cheap stock may have an average of zero.
      return { from: 0, until: dayHigh * SLACK };
    case 'change_percent':
      return between((price) => percentOf(price, close));
    case 'pips':
      return between((price) => pips(close, price));
    case 'day_range':
      return { from: 0, until: dayHigh === dayHigh ? 100 : Number.NaN };
    case 'gap_percent':
      return close > 0 ? EVERYTHING : NOTHING;
    default:
      return EVERYTHING;
  }
}

const EVERYTHING: Range = { from: -1e300, until: 1e300 };
const NOTHING: Range = { from: Number.NaN, until: Number.NaN };

function isPossible({ left, right, holds }: Check, stock: StockSession): boolean {
  const [one, other] = [rangeOf(left, stock), rangeOf(right, stock)];
  if (one.from !== one.from || one.until !== one.until) return false;
  if (other.from !== other.from || other.until !== other.until) return false;
  const [least, most] = [sideOf(one.from, other.until), sideOf(one.until, other.from)];
  const possible = (least < 0 ? BELOW : 0) | (least <= 0 && most >= 0 ? EQUAL : 0) | (most > 0 ? ABOVE : 0);
  return (holds & possible) !== 0;
}

/** Whether the day's facts allow a row in which all checks hold. */
export const canMatch = (checks: readonly AnyCheck[], stock: StockSession): boolean =>
  checks.every((any) => any.some((one) => isPossible(one, stock)));

/** What a comparison requires at least; a value as good as equal passes. */
const [AT_LEAST, AT_MOST, KNOWN] = [0, 1, 2];
const NEAR = 2e-9;

type ReadCheck = { left: number | Float64Array; right: number | Float64Array; kind: number };

function passes({ left, right, kind }: ReadCheck, row: number): boolean {
  const one = (typeof left === 'number' ? left : left[row]) ?? Number.NaN;
  const other = (typeof right === 'number' ? right : right[row]) ?? Number.NaN;
  if (kind === AT_LEAST) return one >= other - Math.abs(other) * NEAR;
  if (kind === AT_MOST) return one <= other + Math.abs(other) * NEAR;
  return one === one && other === other;
}

/** Number of rows that are checked together. Most entries are early in the day, and later rows are then not needed. */
const ROWS_AT_ONCE = 48;

/** Finds rows in which all checks hold, some rows at a time. */
export class RowFinder {
  /** Row numbers, ascending; the first `count` are valid. */
  private readonly rows = new Uint16Array(ROWS_AT_ONCE);
  private count = 0;
  private place = 0;
  private until = 0;
  private stock: StockSession | null = null;

  constructor(
    private readonly checks: readonly AnyCheck[],
    private readonly values: SessionSeries,
  ) {}

  begin(stock: StockSession): void {
    this.stock = stock;
    this.until = 0;
    this.count = 0;
    this.place = 0;
  }

  /** The first row from a row on in which all checks hold; the number of rows if there is none. Never goes back. */
  next(from: number): number {
    const { stock, rows } = this;
    if (!stock) return from;
    for (;;) {
      while (this.place < this.count && (rows[this.place] ?? 0) < from) this.place += 1;
      if (this.place < this.count) return rows[this.place] ?? 0;
      const start = Math.max(this.until, from);
      if (start >= stock.rows) return stock.rows;
      this.find(stock, start, Math.min(stock.rows, start + ROWS_AT_ONCE));
    }
  }

  private find(stock: StockSession, from: number, until: number): void {
    this.count = until - from;
    this.place = 0;
    this.until = until;
    for (let index = 0; index < this.count; index += 1) this.rows[index] = from + index;
    for (const any of this.checks) {
      if (this.count === 0) return;
      this.keep(
        any.map((one) => this.read(one, stock, until)),
        any.length === 1,
      );
    }
  }

  private keep(any: readonly ReadCheck[], isSingle: boolean): void {
    const { rows } = this;
    const [only] = any;
    let kept = 0;
    for (let index = 0; index < this.count; index += 1) {
      const row = rows[index] ?? 0;
      const isKept = isSingle && only ? passes(only, row) : any.some((one) => passes(one, row));
      if (!isKept) continue;
      rows[kept] = row;
      kept += 1;
    }
    this.count = kept;
  }

  private read({ left, right, holds }: Check, stock: StockSession, until: number): ReadCheck {
    const { values } = this;
    const of = (side: Side): number | Float64Array =>
      'series' in side ? values.of(side.series, until) : side.of(stock);
    const kind =
      holds === HOLDS['>'] || holds === HOLDS['>=']
        ? AT_LEAST
        : holds === HOLDS['<'] || holds === HOLDS['<=']
          ? AT_MOST
          : KNOWN;
    return { left: of(left), right: of(right), kind };
  }
}

import { averageOnWire } from '../derive.ts';
import { type ByteReader, type ByteWriter, unzigzag, zigzag } from '#lib/pack.ts';
import { SESSION_COLUMNS, type SessionColumn } from './rules/sessionDay.ts';

/**
 * Each value of a column is one whole number: 0 if it is as predicted, 1 if it is unknown, otherwise its difference
 * plus two. A reader can pass over values without decoding them.
 */
export const PREDICTED = 0;
const UNKNOWN = 1;
const FIRST_DIFFERENCE = 2;

/** Larger numbers would lose digits; no stock has them. */
const MAX_WHOLE = 2 ** 50;

const PRICE_SCALE = 1e4;

/** The factor that makes a column whole. */
export const COLUMN_SCALE: Readonly<Record<SessionColumn, number>> = {
  open: PRICE_SCALE,
  high: PRICE_SCALE,
  low: PRICE_SCALE,
  last: PRICE_SCALE,
  volume: 1,
  value: 100,
  relativeVolume: 100,
  marketCap: 1,
  matchPrice: PRICE_SCALE,
  matchVolume: 1,
  surplus: 1,
  status: 1,
  sensitive: 1,
  news: 1,
  vwap: 1e6,
};

export const isPrice = (name: SessionColumn): boolean => COLUMN_SCALE[name] === PRICE_SCALE;

export const MAX_ROWS = 24 * 60;

/** @returns NaN for an unknown or impossible value */
export function wholeOf(value: number, scale: number): number {
  const whole = Math.round(value * scale) + 0;
  return Math.abs(whole) <= MAX_WHOLE ? whole : Number.NaN;
}

/** In 1/10000 AUD. */
export const wholePrice = (price: number): number => wholeOf(price, PRICE_SCALE);
export const priceOf = (whole: number): number => whole / PRICE_SCALE;

/** The columns that a column's prediction needs, and that are decoded before it. */
export const NEEDED: Readonly<Partial<Record<SessionColumn, readonly SessionColumn[]>>> = {
  open: ['last'],
  high: ['open', 'last'],
  low: ['open', 'last'],
  value: ['open', 'last', 'volume'],
  relativeVolume: ['volume'],
  vwap: ['value', 'volume'],
};

/** The columns in an order in which each follows those that it needs. */
export const CODED_COLUMNS: readonly SessionColumn[] = [
  'last',
  ...SESSION_COLUMNS.filter((name) => name !== 'last'),
];

/** The rows of a stock in whole numbers; NaN is unknown. Only the first `rows` of each array are valid. */
export class WholeRows {
  rows = 0;
  readonly minutes = new Uint16Array(MAX_ROWS);
  /** 1 for a row with a trade. */
  readonly traded = new Uint8Array(MAX_ROWS);
  /** All averages are the value over the volume, and are not in their column. Only for writing. */
  hasDerivedAverages = false;
  private readonly columns = Object.fromEntries(
    SESSION_COLUMNS.map((name) => [name, new Float64Array(MAX_ROWS)]),
  ) as Record<SessionColumn, Float64Array>;

  column(name: SessionColumn): Float64Array {
    return this.columns[name];
  }
}

const INDEX = Object.fromEntries(SESSION_COLUMNS.map((name, index) => [name, index])) as Record<
  SessionColumn,
  number
>;

/** Where the rows of a stock were left, so that the next part of the session continues them. */
export class StockState {
  minute = -1;
  /** The last price before the next rows, for `open`. */
  openFrom = 0;
  /** The last volumes before the next rows, for `value` and `relativeVolume`. */
  valueFrom = 0;
  relativeFrom = 0;
  /** The traded value by prices and volumes, in 1/20000 AUD, so that half price steps are whole. */
  traded = 0;
  /** Whether the last average was the traded value over the volume. */
  isVwapDerived = true;
  /** The last value of each column; NaN if it was unknown. */
  readonly before = new Float64Array(SESSION_COLUMNS.length);
  /** The last known value of each column. */
  readonly known = new Float64Array(SESSION_COLUMNS.length);

  /** @param close the previous close, AUD; NaN if unknown */
  constructor(close: number) {
    for (const name of SESSION_COLUMNS) this.restart(name, close);
  }

  /** Starts a column before its first row. */
  restart(name: SessionColumn, close: number): void {
    const whole = wholePrice(close);
    const price = Number.isNaN(whole) ? 0 : whole;
    const index = INDEX[name];
    this.before[index] =
      name === 'matchPrice' || name === 'matchVolume' || name === 'surplus' ? Number.NaN : 0;
    this.known[index] = isPrice(name) ? price : 0;
    if (name === 'open') this.openFrom = price;
    else if (name === 'relativeVolume') this.relativeFrom = 0;
    else if (name === 'vwap') this.isVwapDerived = true;
    else if (name === 'value') {
      this.valueFrom = 0;
      this.traded = 0;
    }
  }
}

const at = (values: Float64Array, row: number): number => values[row] ?? Number.NaN;

const isSame = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

const possible = (whole: number, otherwise: number): number =>
  Math.abs(whole) <= MAX_WHOLE ? whole : otherwise;

/** The rows of a column without a prediction of its own are as those before them. */
const isCarried = (name: SessionColumn): boolean => name !== 'last' && NEEDED[name] === undefined;

const larger = (a: number, b: number): number => (a >= b ? a : b >= a ? b : Number.NaN);
const smaller = (a: number, b: number): number => (a <= b ? a : b <= a ? b : Number.NaN);

/** Predicts prices from columns that are known: a minute begins at the last price of the trade before. */
function predictPrices(
  name: 'open' | 'high' | 'low',
  state: StockState,
  rows: WholeRows,
  from: number,
  predicted: Float64Array,
): void {
  const lasts = rows.column('last');
  if (name === 'open') {
    let price = state.openFrom;
    for (let row = from; row < rows.rows; row += 1) {
      predicted[row] = rows.traded[row] === 1 ? price : Number.NaN;
      const last = at(lasts, row);
      if (!Number.isNaN(last)) price = last;
    }
    state.openFrom = price;
    return;
  }
  const opens = rows.column('open');
  const pick = name === 'high' ? larger : smaller;
  for (let row = from; row < rows.rows; row += 1) predicted[row] = pick(at(opens, row), at(lasts, row));
}

/** Predicts the values of a column, row by row. */
type Prediction = {
  /** @param before the value of the row before */
  next(row: number, before: number): number;
  /** Called with each row's value after `next`. */
  saw(value: number): void;
};

/** Adds the volume of the minute at the mean of its first and last price. */
function valuePrediction(state: StockState, rows: WholeRows): Prediction {
  const [opens, lasts, volumes] = [rows.column('open'), rows.column('last'), rows.column('volume')];
  let predicted = 0;
  return {
    next(row, before) {
      const volume = at(volumes, row);
      const added = (volume - state.valueFrom) * (at(opens, row) + at(lasts, row));
      if (!Number.isNaN(volume)) state.valueFrom = volume;
      predicted = before;
      if (Math.abs(added) > 0) {
        state.traded += added;
        predicted = possible(Math.round(state.traded / 200), before);
      }
      return predicted;
    },
    saw(value) {
      // What is below a cent stays, so that it adds up.
      const missed = value - predicted;
      if (!Number.isNaN(missed)) state.traded += missed * 200;
      else if (!Number.isNaN(value)) state.traded = value * 200;
    },
  };
}

/** Grows as the volume does. */
function relativePrediction(state: StockState, rows: WholeRows): Prediction {
  const volumes = rows.column('volume');
  return {
    next(row, before) {
      const volume = at(volumes, row);
      const grown = Math.round((before * volume) / state.relativeFrom);
      if (!Number.isNaN(volume)) state.relativeFrom = volume;
      return possible(grown, before);
    },
    saw() {},
  };
}

/** The average price of a traded value, both whole; NaN if nothing was traded. */
const wholeAverage = (value: number, volume: number): number =>
  volume > 0 ? wholeOf(averageOnWire(value / COLUMN_SCALE.value / volume), COLUMN_SCALE.vwap) : Number.NaN;

/** Some sources state an average that is not the value over the volume; it then changes little between rows. */
function averagePrediction(state: StockState, rows: WholeRows): Prediction {
  const [values, volumes] = [rows.column('value'), rows.column('volume')];
  let derived = Number.NaN;
  return {
    next(row, before) {
      derived = wholeAverage(at(values, row), at(volumes, row));
      return state.isVwapDerived ? derived : before;
    },
    saw(value) {
      state.isVwapDerived = isSame(value, derived);
    },
  };
}

function predictionOf(name: SessionColumn, state: StockState, rows: WholeRows): Prediction {
  if (name === 'value') return valuePrediction(state, rows);
  return name === 'vwap' ? averagePrediction(state, rows) : relativePrediction(state, rows);
}

const predicted = new Float64Array(MAX_ROWS);
const tokens = new Float64Array(MAX_ROWS);

/** Predicts all rows of a column that is not carried from their own values, for writing. */
function predictKnown(name: SessionColumn, state: StockState, rows: WholeRows): void {
  if (name === 'open' || name === 'high' || name === 'low') {
    predictPrices(name, state, rows, 0, predicted);
    return;
  }
  const values = rows.column(name);
  let before = at(state.before, INDEX[name]);
  if (name === 'last') {
    let price = at(state.known, INDEX.last);
    for (let row = 0; row < rows.rows; row += 1) {
      predicted[row] = rows.traded[row] === 1 ? price : Number.NaN;
      const value = at(values, row);
      if (!Number.isNaN(value)) price = value;
    }
  } else {
    const prediction = predictionOf(name, state, rows);
    for (let row = 0; row < rows.rows; row += 1) {
      predicted[row] = prediction.next(row, before);
      before = at(values, row);
      prediction.saw(before);
    }
  }
}

/** Writes a column's rows. @returns false if all are as predicted; nothing is then written */
export function encodeColumn(
  out: ByteWriter,
  name: SessionColumn,
  state: StockState,
  rows: WholeRows,
  unit: number,
): boolean {
  if (rows.rows === 0 || (name === 'vwap' && rows.hasDerivedAverages)) return false;
  const values = rows.column(name);
  const index = INDEX[name];
  const carries = isCarried(name);
  if (!carries) predictKnown(name, state, rows);
  let before = at(state.before, index);
  let known = at(state.known, index);
  let isPredicted = true;
  for (let row = 0; row < rows.rows; row += 1) {
    const value = at(values, row);
    const expected = carries ? before : at(predicted, row);
    let token = PREDICTED;
    if (!isSame(value, expected)) {
      isPredicted = false;
      const from = Number.isNaN(expected) ? known : expected;
      token = Number.isNaN(value) ? UNKNOWN : FIRST_DIFFERENCE + zigzag((value - from) / unit);
    }
    tokens[row] = token;
    before = value;
    if (!Number.isNaN(value)) known = value;
  }
  state.before[index] = before;
  state.known[index] = known;
  if (isPredicted) return false;
  out.varints(tokens, rows.rows);
  return true;
}

type Place = { from: number; unit: number };

/** Reads rows whose predictions are in `predicted`. @returns the last known value */
function decodePredicted(
  input: ByteReader | null,
  values: Float64Array,
  start: number,
  end: number,
  { from, unit }: Place,
): number {
  let known = start;
  for (let row = from; row < end; row += 1) {
    const token = input ? input.varint() : PREDICTED;
    let value = at(predicted, row);
    if (token === UNKNOWN) value = Number.NaN;
    else if (token !== PREDICTED)
      value = (Number.isNaN(value) ? known : value) + unzigzag(token - FIRST_DIFFERENCE) * unit;
    values[row] = value;
    if (!Number.isNaN(value)) known = value;
  }
  return known;
}

/** Reads rows that are as those before them, or, for last prices, as the last trade. @returns the last known value */
function decodeCarried(
  input: ByteReader,
  values: Float64Array,
  traded: Uint8Array | null,
  state: { before: number; known: number },
  end: number,
  { from, unit }: Place,
): number {
  let { before, known } = state;
  for (let row = from; row < end; row += 1) {
    const token = input.varint();
    if (token === PREDICTED && traded === null) {
      const first = row;
      row += input.zeros(end - row - 1);
      values.fill(before, first, row + 1);
      continue;
    }
    let value = traded === null ? before : traded[row] === 1 ? known : Number.NaN;
    if (token === UNKNOWN) value = Number.NaN;
    else if (token !== PREDICTED)
      value = (Number.isNaN(value) ? known : value) + unzigzag(token - FIRST_DIFFERENCE) * unit;
    values[row] = value;
    before = value;
    if (!Number.isNaN(value)) known = value;
  }
  return known;
}

/** Reads rows row by row. @returns the last known value */
function decodeSteps(
  input: ByteReader | null,
  values: Float64Array,
  prediction: Prediction,
  state: { before: number; known: number },
  end: number,
  from: number,
): number {
  let { before, known } = state;
  for (let row = from; row < end; row += 1) {
    const expected = prediction.next(row, before);
    const token = input ? input.varint() : PREDICTED;
    let value = expected;
    if (token === UNKNOWN) value = Number.NaN;
    else if (token !== PREDICTED)
      value = (Number.isNaN(expected) ? known : expected) + unzigzag(token - FIRST_DIFFERENCE);
    values[row] = value;
    prediction.saw(value);
    before = value;
    if (!Number.isNaN(value)) known = value;
  }
  return known;
}

/** Reads rows that `encodeColumn` wrote with the same state. @param input null if all are as predicted */
export function decodeColumn(
  input: ByteReader | null,
  name: SessionColumn,
  state: StockState,
  rows: WholeRows,
  place: Place,
): void {
  const { rows: end, traded } = rows;
  if (place.from >= end) return;
  const values = rows.column(name);
  const index = INDEX[name];
  const start = { before: at(state.before, index), known: at(state.known, index) };
  let known = start.known;
  if (name === 'open' || name === 'high' || name === 'low') {
    predictPrices(name, state, rows, place.from, predicted);
    known = decodePredicted(input, values, known, end, place);
  } else if (name === 'last') {
    if (input) known = decodeCarried(input, values, traded, start, end, place);
    else {
      for (let row = place.from; row < end; row += 1) values[row] = traded[row] === 1 ? known : Number.NaN;
    }
  } else if (isCarried(name)) {
    if (input) known = decodeCarried(input, values, null, start, end, place);
    else values.fill(start.before, place.from, end);
  } else {
    known = decodeSteps(input, values, predictionOf(name, state, rows), start, end, place.from);
  }
  state.before[index] = at(values, end - 1);
  state.known[index] = known;
}

/** A value's code in units of 1. */
export const withoutUnit = (code: number, unit: number): number =>
  unit === 1 || code < FIRST_DIFFERENCE
    ? code
    : FIRST_DIFFERENCE + zigzag(unzigzag(code - FIRST_DIFFERENCE) * unit);

/** Writes the minutes, and which of them have a trade. */
export function encodeMinutes(out: ByteWriter, state: StockState, rows: WholeRows): void {
  for (let row = 0; row < rows.rows; row += 1) {
    const minute = rows.minutes[row] ?? 0;
    out.varint((minute - state.minute - 1) * 2 + (rows.traded[row] ?? 0));
    state.minute = minute;
  }
}

/** @throws RangeError for minutes outside of a day */
export function decodeMinutes(input: ByteReader, state: StockState, rows: WholeRows, from: number): void {
  for (let row = from; row < rows.rows; row += 1) {
    const token = input.varint();
    state.minute += 1 + Math.floor(token / 2);
    if (state.minute >= MAX_ROWS) throw new RangeError('A minute of the session history is damaged.');
    rows.minutes[row] = state.minute;
    rows.traded[row] = token % 2;
  }
}

/** Exact below MAX_WHOLE, and several times faster than the remainder of such large numbers. */
const divides = (a: number, b: number): boolean => Number.isInteger(b / a);

function gcd(a: number, b: number): number {
  if (a > 0 && divides(a, b)) return a;
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return x;
}

const PRICES = CODED_COLUMNS.filter(isPrice);

/** The largest price step that fits all rows and what they are predicted from, in 1/10000 AUD. */
export function unitOf(state: StockState, rows: WholeRows): number {
  let unit = state.openFrom;
  for (const name of PRICES) {
    const before = at(state.before, INDEX[name]);
    const known = at(state.known, INDEX[name]);
    unit = gcd(gcd(unit, Math.abs(known)), Number.isNaN(before) ? 0 : Math.abs(before));
    const values = rows.column(name);
    let fits = Number.NaN;
    for (let row = 0; row < rows.rows && unit !== 1; row += 1) {
      const value = at(values, row);
      if (Number.isNaN(value) || value === fits) continue;
      fits = value;
      if (!divides(unit, value)) unit = gcd(unit, Math.abs(value));
    }
  }
  return unit === 0 ? 1 : unit;
}

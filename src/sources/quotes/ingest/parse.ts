import { isRecord, MAX_JSON_DEPTH, parseJson, type JsonProblem } from '#lib/json.ts';
import { ok, refuse, type Result, type Refusal, failed } from '#lib/result.ts';
import { type StockUpdate, SECURITY_TYPES, STOCK_STATUSES } from '#market/rules/stock.ts';
import { HTF_PERIODS } from '#market/indicators/rules/htfCandle.ts';
import { TIMEFRAMES } from '#market/indicators/rules/timeframe.ts';
import { withoutMarks } from '#lib/text.ts';

/** Checks the value of one field. The error is a clause that completes 'The field "<name>" …'. */
type FieldCheck = (value: unknown) => Result<unknown, string>;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const orNull =
  (check: FieldCheck): FieldCheck =>
  (value) =>
    value === null ? ok(null) : check(value);

/** Finite numbers within bounds; JSON can carry an infinity as 1e999. */
const numberWithin =
  (low: number, high: number, whole = false): FieldCheck =>
  (value) => {
    if (typeof value !== 'number') return failed(`must be a number or null, not ${kindOf(value)}`);
    if (!Number.isFinite(value) || value < low || value > high) {
      return failed(`must be between ${low} and ${high}`);
    }
    return whole && !Number.isInteger(value) ? failed('must be a whole number') : ok(value);
  };

const text =
  (limit: number): FieldCheck =>
  (value) => {
    if (typeof value !== 'string') return failed(`must be text, not ${kindOf(value)}`);
    const seen = withoutMarks(value).trim();
    if (seen === '') return failed('must not be empty');
    return seen.length > limit ? failed(`must be at most ${limit} characters long`) : ok(seen);
  };

const oneOf =
  (allowed: readonly string[]): FieldCheck =>
  (value) =>
    typeof value === 'string' && allowed.includes(value)
      ? ok(value)
      : failed(`must be one of ${allowed.join(', ')}`);

/** Not a name that would reach an object's prototype, nor one that no indicator has. */
const isSafeName = (name: string): boolean =>
  /^[\w.+|:,=()[\]-]{1,80}$/.test(name) && !['__proto__', 'constructor', 'prototype'].includes(name);

const isName =
  (names: readonly string[]) =>
  (name: string): boolean =>
    names.includes(name);

const MAX_ENTRIES = 200;

/**
 * Nested objects with numbers or null as leaves.
 * @param levels how many objects lie inside each other: 2 for `htf`, 3 for `indicators`
 * @param isAllowed which names the outer object may have
 */
const numbersBelow =
  (levels: number, isAllowed: (name: string) => boolean = isSafeName): FieldCheck =>
  (value) => {
    if (levels === 0) return orNull(numberWithin(-1e15, 1e15))(value);
    if (!isRecord(value)) return failed(`must be an object, not ${kindOf(value)}`);
    const entries = Object.entries(value);
    if (entries.length > MAX_ENTRIES) return failed(`must have at most ${MAX_ENTRIES} entries`);
    for (const [name, inner] of entries) {
      if (!isAllowed(name)) return failed(`has no entry "${name.slice(0, 40)}"`);
      const checked = numbersBelow(levels - 1)(inner);
      if (!checked.ok) return failed(`${name}: ${checked.error}`);
    }
    return ok(value);
  };

const TREND = ['daysUp', 'daysDown', 'weeksUp', 'weeksDown'];
const isCount = numberWithin(0, 10_000, true);

const trend: FieldCheck = (value) => {
  if (!isRecord(value)) return failed(`must be an object or null, not ${kindOf(value)}`);
  return TREND.every((name) => isCount(value[name]).ok) && Object.keys(value).length === TREND.length
    ? ok(value)
    : failed(`must have the whole numbers ${TREND.join(', ')}`);
};

const price = orNull(numberWithin(0, 1e6));
const volume = orNull(numberWithin(0, 1e13));
const money = orNull(numberWithin(0, 1e15));

type IngestField = Exclude<keyof StockUpdate, 'code' | 'news' | 'preOpen'>;

/**
 * The fields that a bridge may send, with their checks. What the Market derives (change, match_value …) and what has a
 * source of its own (news) is not among them.
 */
const INGEST_FIELDS: Readonly<Record<IngestField, FieldCheck>> = {
  name: text(120),
  status: oneOf(STOCK_STATUSES),
  securityType: oneOf(SECURITY_TYPES),
  sector: orNull(text(120)),
  open: price,
  high: price,
  low: price,
  close: price,
  last: price,
  vwap: price,
  volume,
  value: money,
  match_price: price,
  match_vol: volume,
  buy_surplus: orNull(numberWithin(-1e13, 1e13)),
  marketCap: money,
  relativeVolume: orNull(numberWithin(0, 1e6)),
  sensitiveAnnouncements: orNull(numberWithin(0, 1000, true)),
  trend: orNull(trend),
  yearRange: orNull(numbersBelow(1, isName(['high', 'low']))),
  indicators: numbersBelow(3, isName(TIMEFRAMES)),
  htf: numbersBelow(2, isName(HTF_PERIODS)),
  quoteTime: numberWithin(Date.UTC(2000, 0, 1), Date.UTC(2100, 0, 1)),
};

const isIngestField = (name: string): name is IngestField => Object.hasOwn(INGEST_FIELDS, name);

/** The check of a field; null for a name that is no field of a bridge. */
const checkOfField = (name: string): FieldCheck | null => (isIngestField(name) ? INGEST_FIELDS[name] : null);

/** The result of one stock of a request. */
export type LineResult =
  | { kind: 'update'; line: number; update: StockUpdate; ignored: string[] }
  | ({
      kind: 'rejected';
      line: number;
      /** Null when the line does not name a stock. */
      code: string | null;
      /** False when the line is not JSON. */
      isJson: boolean;
    } & Refusal);

const CODE = /^[A-Z0-9]{1,6}$/;

const reject = (line: number, code: string | null, field: string | null, message: string): LineResult => ({
  kind: 'rejected',
  line,
  code,
  field,
  message,
  isJson: true,
});

/**
 * Checks one stock. A single wrong field rejects it, because the other fields of the quote belong together with it.
 * @param value parsed JSON
 * @param line its place, counted from 1: the line of an NDJSON body, the position in a list
 * @returns an update with the checked fields, and the names of the fields that were ignored; or a refusal that says
 *   what to change
 */
export function readStock(value: unknown, line: number): LineResult {
  if (!isRecord(value))
    return reject(line, null, null, 'A stock is a JSON object such as {"code":"BHP","last":50.6}.');
  const { code: sentCode, ...fields } = value;
  const code = typeof sentCode === 'string' ? sentCode.trim().toUpperCase() : '';
  if (!CODE.test(code)) {
    return reject(
      line,
      null,
      'code',
      'The field "code" must be the exchange code, 1 to 6 letters and digits.',
    );
  }
  const ignored: string[] = [];
  const update: Record<string, unknown> & { code: string } = { code };
  for (const [field, sent] of Object.entries(fields)) {
    const check = checkOfField(field);
    if (check === null) {
      ignored.push(field.slice(0, 40));
      continue;
    }
    const checked = check(sent);
    if (!checked.ok) return reject(line, code, field, `The field "${field}" ${checked.error}.`);
    update[field] = checked.value;
  }
  if (Object.keys(update).length === 1)
    return reject(line, code, null, 'There is no field to apply besides the code.');
  // The type of the table of checks makes sure that it names fields of StockUpdate only.
  return { kind: 'update', line, update: update as StockUpdate, ignored };
}

const UNPARSED: Record<JsonProblem, string> = {
  malformed: 'This line is not valid JSON. Send one JSON object per line.',
  tooDeep: `This line has more than ${MAX_JSON_DEPTH} lists and objects inside each other.`,
};

/** Checks one line of an NDJSON body. */
export function readLine(text: string, line: number): LineResult {
  const parsed = parseJson(text);
  if (parsed.ok) return readStock(parsed.value, line);
  return { kind: 'rejected', line, code: null, field: null, message: UNPARSED[parsed.error], isJson: false };
}

const TOO_DEEP = `The body has more than ${MAX_JSON_DEPTH} lists and objects inside each other.`;

function* ofLines(text: string): Generator<LineResult> {
  let line = 0;
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf('\n', from);
    const to = found === -1 ? text.length : found;
    line += 1;
    const content = text.slice(from, to).trim();
    from = to + 1;
    if (content !== '') yield readLine(content, line);
  }
}

function* ofList(list: readonly unknown[]): Generator<LineResult> {
  for (const [index, value] of list.entries()) yield readStock(value, index + 1);
}

/**
 * Reads a body of market updates: one JSON object, a JSON list of them, `{"stocks": [...]}`, or NDJSON with an object per
 * line (empty lines are skipped). Which of them it is follows from the text, as many clients send a wrong content type.
 * @returns the results in order, computed one by one as they are iterated, so that the caller can pause between them;
 *   a refusal when no stock can be in it. Of a body that is no JSON at all every line is rejected: see `isUnreadable`.
 */
export function parseIngest(body: string): Result<Iterable<LineResult>> {
  const text = body.replace(/^\uFEFF/, '').trim();
  if (text === '') return refuse('The body is empty. Send a JSON object, a list of them, or one per line.');
  const whole = parseJson(text);
  if (!whole.ok) {
    if (whole.error === 'tooDeep' && !text.includes('\n')) return refuse(TOO_DEEP);
    // Several lines are no JSON as a whole. Not the trimmed text, so that the line numbers are those of the sender.
    return ok(ofLines(body.replace(/^\uFEFF/, '')));
  }
  const { value } = whole;
  const list = isRecord(value) && !('code' in value) ? value['stocks'] : value;
  if (Array.isArray(list)) {
    return list.length === 0 ? refuse('The list holds no stock.') : ok(ofList(list));
  }
  if (isRecord(value)) return ok(ofList([value]));
  return refuse('The body is JSON, but no object. Send objects such as {"code":"BHP","last":50.6}.');
}

/** Whether no line of a body was JSON. */
export const isUnreadable = (results: readonly LineResult[]): boolean =>
  results.every((result) => result.kind === 'rejected' && !result.isJson);

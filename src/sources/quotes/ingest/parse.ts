import { isRecord, MAX_JSON_DEPTH, parseJson, type JsonProblem } from '#lib/json.ts';
import { ok, refuse, type Result, type Refusal, failed } from '#lib/result.ts';
import { type StockUpdate, SECURITY_TYPES, STOCK_STATUSES } from '#market/rules/stock.ts';
import { OVERNIGHT_IDS, type OvernightFigure } from '#market/rules/overnight.ts';
import { HTF_PERIODS } from '#market/indicators/rules/indicatorKey.ts';
import { TIMEFRAMES } from '#market/indicators/rules/types.ts';
import { readNumber } from '#lib/read.ts';
import { withoutMarks } from '#lib/text.ts';

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

/** JSON can contain an infinity as 1e999. */
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

/** Refuses names of the object prototype, and those that no indicator has. */
const isSafeName = (name: string): boolean =>
  /^[\w.+|:,=()[\]-]{1,80}$/.test(name) && !['__proto__', 'constructor', 'prototype'].includes(name);

const isName =
  (names: readonly string[]) =>
  (name: string): boolean =>
    names.includes(name);

const MAX_ENTRIES = 200;

/**
 * Nested objects with numbers or null as leaves.
 * @param levels depth: 2 for `htf`, 3 for `indicators`
 * @param isAllowed names of the outer object
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
    : failed(`must have whole numbers for ${TREND.join(', ')}`);
};

const price = orNull(numberWithin(0, 1e6));
const volume = orNull(numberWithin(0, 1e13));
const money = orNull(numberWithin(0, 1e15));

type IngestField = Exclude<keyof StockUpdate, 'code' | 'news' | 'preOpen'>;

/**
 * The accepted fields with their checks. Derived fields (change, match_value …) and news are not included.
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

const checkOfField = (name: string): FieldCheck | null => (isIngestField(name) ? INGEST_FIELDS[name] : null);

export type LineResult =
  | { kind: 'update'; line: number; update: StockUpdate; ignored: string[] }
  | ({
      kind: 'rejected';
      line: number;
      code: string | null;
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
 * Checks one stock. One wrong field rejects it, because the fields of a quote belong together.
 * @param value parsed JSON
 * @param line from 1: the line of an NDJSON body, or the position in a list
 * @returns the update and the ignored fields, or a refusal that says what to change
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
    return reject(line, code, null, 'Send at least one field in addition to the code.');
  // The type of the table of checks ensures that it names only fields of StockUpdate.
  return { kind: 'update', line, update: update as StockUpdate, ignored };
}

const UNPARSED: Record<JsonProblem, string> = {
  malformed: 'This line is not valid JSON. Send one JSON object per line.',
  tooDeep: `This line has more than ${MAX_JSON_DEPTH} levels of lists and objects.`,
};

export function readLine(text: string, line: number): LineResult {
  const parsed = parseJson(text);
  if (parsed.ok) return readStock(parsed.value, line);
  return { kind: 'rejected', line, code: null, field: null, message: UNPARSED[parsed.error], isJson: false };
}

const TOO_DEEP = `The body has more than ${MAX_JSON_DEPTH} levels of lists and objects.`;

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
 * Reads a body: one JSON object, a list, `{"stocks": [...]}`, or NDJSON. The text decides, because many
 * clients send a wrong content type.
 * @returns the results in order, computed lazily so that the caller can pause; a refusal if no stock can be
 * in it. A body without any JSON rejects every line: see `isUnreadable`.
 */
export function parseIngest(body: string): Result<Iterable<LineResult>> {
  const text = body.replace(/^\uFEFF/, '').trim();
  if (text === '') return refuse('The body is empty. Send a JSON object, a list of them, or one per line.');
  const whole = parseJson(text);
  if (!whole.ok) {
    if (whole.error === 'tooDeep' && !text.includes('\n')) return refuse(TOO_DEEP);
    // NDJSON. It is not trimmed, so line numbers match the sender's.
    return ok(ofLines(body.replace(/^\uFEFF/, '')));
  }
  const { value } = whole;
  const list = isRecord(value) && !('code' in value) ? value['stocks'] : value;
  if (Array.isArray(list)) {
    return list.length === 0 ? refuse('The list is empty. Send at least one stock.') : ok(ofList(list));
  }
  if (isRecord(value)) return ok(ofList([value]));
  return refuse('The body is JSON, but not an object. Send objects such as {"code":"BHP","last":50.6}.');
}

export const isUnreadable = (results: readonly LineResult[]): boolean =>
  results.every((result) => result.kind === 'rejected' && !result.isJson);

const isLevel = orNull(numberWithin(-1e6, 1e9));
const isChange = numberWithin(-100, 1000);

/** @param item of the list @param time epoch ms, now */
function readOvernight(item: unknown, time: number): Result<OvernightFigure, string> {
  const { id, last = null, change } = isRecord(item) ? item : {};
  const known = OVERNIGHT_IDS.find((one) => one === id);
  if (known === undefined) return failed(`needs an "id" that is one of ${OVERNIGHT_IDS.join(', ')}.`);
  const level = isLevel(last);
  if (!level.ok) return failed(`has a "last" that ${level.error}.`);
  const percent = isChange(change);
  if (!percent.ok) return failed(`has a "change" that ${percent.error}.`);
  return ok({ id: known, last: readNumber(last), change: Number(change), time });
}

/** Reads `{"figures": [...]}`. One wrong figure refuses all. @param now epoch ms */
export function parseOvernight(body: string, now: number): Result<OvernightFigure[]> {
  const parsed = parseJson(body);
  const items = parsed.ok && isRecord(parsed.value) ? parsed.value['figures'] : undefined;
  if (!Array.isArray(items) || items.length > OVERNIGHT_IDS.length)
    return refuse(`Send {"figures": [...]} with at most ${OVERNIGHT_IDS.length} figures.`, 'figures');
  const figures: OvernightFigure[] = [];
  for (const [at, item] of items.entries()) {
    const figure = readOvernight(item, now);
    if (!figure.ok) return refuse(`Figure ${at + 1} ${figure.error}`, 'figures');
    figures.push(figure.value);
  }
  return ok(figures);
}

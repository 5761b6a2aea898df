import { isRecord, MAX_JSON_DEPTH, parseJson, type JsonProblem } from '#lib/json.ts';
import { ok, refuse, type Result, type Refusal } from '#lib/result.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { checkOfField } from './fields.ts';

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

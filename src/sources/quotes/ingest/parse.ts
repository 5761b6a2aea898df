import { isRecord, MAX_JSON_DEPTH, parseJson } from '../../../lib/json.ts';
import { ok, refuse, type Result } from '../../../lib/result.ts';
import { readLine, readStock, type LineResult } from './readLine.ts';

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

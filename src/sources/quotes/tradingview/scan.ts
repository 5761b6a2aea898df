import type { Clock } from '#lib/clock.ts';
import { failureText, type HttpClient, type HttpRequest, statusText } from '#lib/httpClient/client.ts';
import type { PollFailure } from '#lib/httpClient/pollLoop.ts';
import { isRecord, parseJson } from '#lib/json.ts';
import { withoutEndSlashes } from '#lib/text.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { someOf } from '#sources/answerForm.ts';
import { columnsFor, type ExtraColumn, isOptional } from './columns.ts';
import {
  type CellReader,
  createEvidence,
  type Evidence,
  readRow,
  type RowResult,
  type SessionView,
  sessionViewAt,
} from './row.ts';

/** One range over the whole market, because paging by market cap loses rows without one. */
const RANGE_END = 5000;

/** The bare session id, or a whole cookie text with a name. @returns null if nothing usable is set */
function cookieHeader(cookie: string | null): string | null {
  const value = cookie?.trim() ?? '';
  if (value === '') return null;
  return /^[\w.-]{1,80}=/.test(value) ? value : `sessionid=${value}`;
}

/**
 * All stocks, CDIs and funds in one range, in a stable order. Warrants ("structured") are excluded, because
 * they would fill the range.
 */
const scanBody = (columns: readonly string[], rows: number): string =>
  JSON.stringify({
    markets: ['australia'],
    symbols: { query: { types: [] }, tickers: [] },
    options: { lang: 'en' },
    columns,
    filter: [{ left: 'type', operation: 'in_range', right: ['stock', 'dr', 'fund'] }],
    sort: { sortBy: 'name', sortOrder: 'asc', nullsFirst: false },
    range: [0, rows],
    ignore_unknown_fields: false,
  });

/** The whole market with a few dozen columns is about 1 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

type ScanEdges = { url: string; cookie: string | null; timeoutMs: number };

/**
 * A scan of a market of the platform.
 * @param edges.cookie session id or cookie text; null for public, delayed data
 */
export function scanRequest(
  market: 'australia' | 'global',
  { url, cookie, timeoutMs }: ScanEdges,
  body: string,
): HttpRequest & { body: string } {
  const header = cookieHeader(cookie);
  return {
    method: 'POST',
    url: `${withoutEndSlashes(url.trim())}/${market}/scan`,
    endpoint: `tradingview/${market}/scan`,
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      origin: 'https://www.tradingview.com',
      referer: 'https://www.tradingview.com/',
      'user-agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
      ...(header === null ? {} : { cookie: header }),
    },
    body,
  };
}

/** @param options.rows maximum; the whole market if absent */
export const buildScanRequest = (
  options: ScanEdges & { columns: readonly string[]; rows?: number },
): HttpRequest & { body: string } =>
  scanRequest('australia', options, scanBody(options.columns, options.rows ?? RANGE_END));

type ScanRow = { s: string; d: readonly unknown[] };

type ScanAnswer =
  | { kind: 'rows'; totalCount: number; rows: ScanRow[]; malformed: number }
  | { kind: 'unusable'; reason: string; unknownColumn: string | null };

/** A larger share of malformed rows means that the format changed. */
const MAX_MALFORMED_SHARE = 0.5;
const unusable = (reason: string, unknownColumn: string | null = null): ScanAnswer => ({
  kind: 'unusable',
  reason,
  unknownColumn,
});

const shortened = (text: string): string =>
  text
    .slice(0, 1000)
    .replace(/\s{1,80}/g, ' ')
    .trim()
    .slice(0, 120);

const unknownColumnOf = (error: string): string | null =>
  /unknown field:?\s{1,8}"([^"]{1,80})"/i.exec(error)?.[1] ?? null;

const isRow = (value: unknown, width: number): value is ScanRow =>
  isRecord(value) &&
  typeof value['s'] === 'string' &&
  Array.isArray(value['d']) &&
  value['d'].length === width;

/**
 * Checks the shape of a scan answer.
 * @param text the body; an `error` or a null `data` makes it unusable whatever the HTTP status
 * @param width number of requested columns; other rows are malformed
 * @returns the rows, duplicates included; or a clause that completes "TradingView …"
 */
export function readAnswer(text: string, width: number): ScanAnswer {
  const parsed = parseJson(text);
  const body = parsed.ok ? parsed.value : null;
  if (!isRecord(body)) return unusable(`sent data that is not a scan result ("${shortened(text)}")`);
  const error = body['error'];
  if (typeof error === 'string' && error !== '') {
    return unusable(`answered with an error ("${shortened(error)}")`, unknownColumnOf(error));
  }
  const { data, totalCount } = body;
  if (!Array.isArray(data)) return unusable('sent a scan result without data');
  if (typeof totalCount !== 'number' || !Number.isInteger(totalCount) || totalCount < 0) {
    return unusable('sent a scan result without a count');
  }
  if (data.length === 0) return unusable('sent a scan result without a single listing');
  const rows = data.filter((row): row is ScanRow => isRow(row, width));
  const malformed = data.length - rows.length;
  if (malformed > data.length * MAX_MALFORMED_SHARE) {
    return unusable(`sent ${malformed} of ${data.length} rows in an unknown format`);
  }
  return { kind: 'rows', totalCount, rows, malformed };
}

const MIN_COMPLETE_SHARE = 0.95;

/**
 * If an answer is truncated, the missing stocks would silently stop. Small differences are normal, because
 * listings change.
 * @param received rows, duplicates and malformed ones included
 */
const isComplete = (received: number, totalCount: number): boolean =>
  received >= Math.min(totalCount, RANGE_END) * MIN_COMPLETE_SHARE;

export type RefusedRows = { count: number; first: string | null };

export type ScanBatch = {
  kind: 'batch';
  updates: StockUpdate[];
  refused: RefusedRows;
  /** Every listed code, refused ones included; null if some may be missing. */
  listed: ReadonlySet<string> | null;
  duplicates: number;
  foreign: number;
  evidence: Evidence;
  asked: readonly string[];
  filled: ReadonlyMap<string, number>;
  rows: number;
  sample: readonly Readonly<Record<string, unknown>>[];
};

type Unusable = { kind: 'unusable'; reason: string; unknownColumn: string | null };

const PREFIX = 'ASX:';
const CODE = /^[A-Z0-9]{1,6}$/;

function cellsOf(columns: readonly string[]): (row: ScanRow) => CellReader {
  const positions = new Map(columns.map((column, index) => [column, index]));
  return (row) => (column) => {
    const position = positions.get(column);
    return position === undefined ? undefined : row.d[position];
  };
}

function filledCells(rows: readonly ScanRow[], columns: readonly string[]): Map<string, number> {
  return new Map(
    columns.map((column, index) => [column, rows.filter(({ d }) => (d[index] ?? null) !== null).length]),
  );
}

const byColumn = ({ s, d }: ScanRow, columns: readonly string[]): Record<string, unknown> => ({
  symbol: s,
  ...Object.fromEntries(columns.map((column, at) => [column, d[at]])),
});

const uniqueBySymbol = (rows: readonly ScanRow[]): ScanRow[] => [
  ...new Map(rows.map((row) => [row.s, row])).values(),
];

/**
 * Reads a scan answer: checks its shape, drops repeated symbols, and converts listings to updates.
 * @param text response body
 * @param columns the requested columns, in order
 * @param view how to interpret the daily columns
 * @param extra indicators and their places; null if not requested
 * @returns a batch with unique codes, or why the answer is unusable
 */
export function readScan(
  text: string,
  columns: readonly string[],
  view: SessionView,
  extra: readonly ExtraColumn[] = [],
): ScanBatch | Unusable {
  const answer = readAnswer(text, columns.length);
  if (answer.kind === 'unusable') return answer;
  const { rows, totalCount, malformed } = answer;
  const received = rows.length + malformed;
  if (!isComplete(received, totalCount)) {
    return { kind: 'unusable', reason: `sent only ${received} of ${totalCount} rows`, unknownColumn: null };
  }
  const scan = readRows(rows, malformed, columns, view, extra);
  const mayLack = malformed > 0 || received < Math.min(totalCount, RANGE_END);
  return scan.kind === 'batch' && mayLack ? { ...scan, listed: null } : scan;
}

const readListing = (
  code: string,
  cell: CellReader,
  view: SessionView,
  extra: readonly ExtraColumn[],
): RowResult =>
  CODE.test(code)
    ? readRow(code, cell, view, extra)
    : { kind: 'refused', code: code.slice(0, 30), reason: 'not an ASX code' };

type Taken = Pick<ScanBatch, 'updates' | 'evidence'> & { listed: Set<string>; reasons: string[] };

function readListings(
  own: readonly ScanRow[],
  cells: (row: ScanRow) => CellReader,
  view: SessionView,
  extra: readonly ExtraColumn[],
): Taken {
  const evidence = createEvidence(view.now);
  const updates: StockUpdate[] = [];
  const listed = new Set<string>();
  const reasons: string[] = [];
  for (const row of own) {
    const code = row.s.slice(PREFIX.length);
    const result = readListing(code, cells(row), view, extra);
    listed.add(code);
    if (result.kind === 'update') {
      updates.push(result.update);
      evidence.add(cells(row));
    } else reasons.push(`${result.code}: ${result.reason}`);
  }
  return { updates, listed, reasons, evidence: evidence.result() };
}

function readRows(
  rows: readonly ScanRow[],
  malformed: number,
  columns: readonly string[],
  view: SessionView,
  extra: readonly ExtraColumn[],
): ScanBatch | Unusable {
  const unique = uniqueBySymbol(rows);
  const own = unique.filter(({ s }) => s.startsWith(PREFIX));
  const { updates, listed, reasons, evidence } = readListings(own, cellsOf(columns), view, extra);
  const first = malformed > 0 ? 'a row had an unknown format' : (reasons[0] ?? null);
  if (updates.length === 0) {
    const why = first ?? 'all belong to other exchanges';
    return { kind: 'unusable', reason: `sent no usable row (${why})`, unknownColumn: null };
  }
  return {
    kind: 'batch',
    updates,
    refused: { count: malformed + reasons.length, first },
    listed,
    duplicates: rows.length - unique.length,
    foreign: unique.length - own.length,
    evidence,
    asked: columns,
    filled: filledCells(own, columns),
    rows: own.length,
    sample: someOf(own).map((row) => byColumn(row, columns)),
  };
}

type FetchOutcome =
  | { kind: 'text'; text: string }
  | { kind: 'failed'; reason: string; retryAfterMs: number | null; unknownColumn: string | null };

/** A refusal may be about the account of the cookie. */
const describeStatus = (status: number): string =>
  status === 401 || status === 403
    ? `${statusText(status)}; if BELLBIRD_TRADINGVIEW_COOKIE is set, it may have expired`
    : statusText(status);

async function fetchScan(http: HttpClient, request: HttpRequest): Promise<FetchOutcome> {
  const outcome = await http.text(request);
  if (outcome.kind === 'ok') return { kind: 'text', text: outcome.body };
  const reason = failureText(outcome, describeStatus);
  if (outcome.kind !== 'httpError')
    return { kind: 'failed', reason, retryAfterMs: null, unknownColumn: null };
  const unknownColumn = unknownColumnOf(outcome.text.replaceAll('\\"', '"'));
  return { kind: 'failed', reason, retryAfterMs: outcome.retryAfterMs, unknownColumn };
}

type PollOutcome = { kind: 'batch'; batch: ScanBatch } | PollFailure;

type PollOptions = {
  url: string;
  cookie: string | null;
  timeoutMs: number;
  wall: Clock;
  http: HttpClient;
  extraColumns: () => readonly ExtraColumn[];
  onUnknownColumn: (column: string) => void;
  onBadForm?: () => void;
};

/** Unknown columns found within one poll; the next poll finds the rest. */
const MAX_COLUMN_RETRIES = 8;

const isSamePlace = (a: ExtraColumn, b: ExtraColumn): boolean =>
  a.tf === b.tf && a.key === b.key && a.valueKey === b.valueKey;

/**
 * Polls one at a time. A column that the platform does not know (its list changes without notice) is omitted
 * afterwards and the poll repeated; any other error fails the poll. An indicator that is no longer used is
 * cleared once.
 * @returns `run`: never rejects; `signal` aborts it
 */
export function createPoll(options: PollOptions): { run(signal: AbortSignal): Promise<PollOutcome> } {
  const { http, url, cookie, timeoutMs } = options;
  const unknown = new Set<string>();
  let filled: readonly ExtraColumn[] = [];

  const once = async (signal: AbortSignal): Promise<PollOutcome & { unknownColumn: string | null }> => {
    const extra = options.extraColumns();
    const columns = columnsFor(extra, unknown);
    const emptied = filled.filter((old) => !extra.some((one) => isSamePlace(one, old)));
    const request = buildScanRequest({ url, cookie, columns, timeoutMs });
    const outcome = await fetchScan(http, { ...request, signal });
    if (outcome.kind === 'failed') return outcome;
    const scan = readScan(outcome.text, columns, sessionViewAt(options.wall.now()), [...extra, ...emptied]);
    if (scan.kind === 'batch') {
      filled = extra;
      return { kind: 'batch', batch: scan, unknownColumn: null };
    }
    options.onBadForm?.();
    return { kind: 'failed', reason: scan.reason, retryAfterMs: null, unknownColumn: scan.unknownColumn };
  };

  return {
    async run(signal) {
      let outcome = await once(signal);
      for (let retry = 0; retry < MAX_COLUMN_RETRIES; retry += 1) {
        const column = outcome.unknownColumn;
        if (outcome.kind === 'batch' || column === null || !isOptional(column) || unknown.has(column)) break;
        unknown.add(column);
        options.onBadForm?.();
        options.onUnknownColumn(column);
        outcome = await once(signal);
      }
      return outcome;
    },
  };
}

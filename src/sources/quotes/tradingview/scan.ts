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

/** One range over the whole market: paging by market cap loses every row whose market cap is null. */
const RANGE_END = 5000;

/**
 * The scan address below a base address.
 * @param base with or without trailing slashes, e.g. https://scanner.tradingview.com
 */
const scanUrl = (base: string): string => `${withoutEndSlashes(base.trim())}/australia/scan`;

/**
 * The cookie header for a configured value: the bare session id, or a whole cookie text when it has a name already.
 * @returns null when nothing usable is configured
 */
function cookieHeader(cookie: string | null): string | null {
  const value = cookie?.trim() ?? '';
  if (value === '') return null;
  return /^[\w.-]{1,80}=/.test(value) ? value : `sessionid=${value}`;
}

/**
 * The body of POST /australia/scan: all stocks, CDIs and funds in one range, in an order that does not move.
 * Warrants ("structured") are left out: they would fill the range and are no listing of ours.
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

/**
 * Builds the whole request.
 * @param options.cookie configured session id or cookie text; null for the public, delayed data
 * @param options.rows most rows to answer; all of the market where it is left out
 */
export function buildScanRequest(options: {
  url: string;
  cookie: string | null;
  columns: readonly string[];
  timeoutMs: number;
  rows?: number;
}): HttpRequest & { body: string } {
  const cookie = cookieHeader(options.cookie);
  return {
    method: 'POST',
    url: scanUrl(options.url),
    endpoint: 'tradingview/australia/scan',
    timeoutMs: options.timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      origin: 'https://www.tradingview.com',
      referer: 'https://www.tradingview.com/',
      'user-agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
      ...(cookie === null ? {} : { cookie }),
    },
    body: scanBody(options.columns, options.rows ?? RANGE_END),
  };
}

/** One listing as the platform sends it: its symbol and its cells in the order of the asked columns. */
type ScanRow = { s: string; d: readonly unknown[] };

type ScanAnswer =
  | { kind: 'rows'; totalCount: number; rows: ScanRow[]; malformed: number }
  /** `unknownColumn` is the column that the platform does not know, when that is the reason. */
  | { kind: 'unusable'; reason: string; unknownColumn: string | null };

/** Above this share of malformed rows the answer has another shape than the one known here. */
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

/** The column named in the platform's `Unknown field "x"`; null for any other error text. */
const unknownColumnOf = (error: string): string | null =>
  /unknown field:?\s{1,8}"([^"]{1,80})"/i.exec(error)?.[1] ?? null;

const isRow = (value: unknown, width: number): value is ScanRow =>
  isRecord(value) &&
  typeof value['s'] === 'string' &&
  Array.isArray(value['d']) &&
  value['d'].length === width;

/**
 * Checks the shape of a whole scan answer before anything of it is used.
 * @param text the response body; an `error` or a null `data` makes it unusable whatever the HTTP status was
 * @param width how many columns were asked for; a row of another width is malformed
 * @returns the rows, duplicates included; unusable with a clause saying why (it completes "TradingView …")
 */
export function readAnswer(text: string, width: number): ScanAnswer {
  const parsed = parseJson(text);
  const body = parsed.ok ? parsed.value : null;
  if (!isRecord(body)) return unusable(`sent something else than a scan result ("${shortened(text)}")`);
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
    return unusable(`sent ${malformed} of ${data.length} rows in an unknown shape`);
  }
  return { kind: 'rows', totalCount, rows, malformed };
}

/** How much of what matched must have arrived. */
const MIN_COMPLETE_SHARE = 0.95;

/**
 * Whether the answer holds what matched: a cut one would make the missing stocks stand still unseen. A listing or
 * two that came or went between counting and listing are no cut.
 * @param received rows in the answer, duplicates and malformed ones included
 */
const isComplete = (received: number, totalCount: number): boolean =>
  received >= Math.min(totalCount, RANGE_END) * MIN_COMPLETE_SHARE;

export type RefusedRows = { count: number; first: string | null };

export type ScanBatch = {
  kind: 'batch';
  /** Unique codes. */
  updates: StockUpdate[];
  refused: RefusedRows;
  /** Every code that the answer lists, refused ones included; null when the answer may lack some. */
  listed: ReadonlySet<string> | null;
  /** Rows that repeated a symbol. */
  duplicates: number;
  /** Rows of other exchanges, left out. */
  foreign: number;
  evidence: Evidence;
  /** The columns that were asked for, and how many of the rows hold something in each. */
  asked: readonly string[];
  filled: ReadonlyMap<string, number>;
  rows: number;
  /** A few of them, by column. */
  sample: readonly Readonly<Record<string, unknown>>[];
};

/** An answer of which nothing may be used; `reason` completes the sentence "TradingView …". */
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

/** How many rows hold something in each column. */
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
 * Reads a whole scan answer: checks its shape, drops repeated symbols, and turns each listing into an update.
 * @param text response body
 * @param columns the columns asked for, in order
 * @param view how the daily columns are to be read now
 * @param extra indicators and where they go; one whose column was not asked for becomes null
 * @returns one batch of updates with unique codes, or why nothing of the answer may be used
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
    : { kind: 'refused', code: code.slice(0, 30), reason: 'not a code of the exchange' };

/** What came of the rows of this exchange. */
type Taken = Pick<ScanBatch, 'updates' | 'evidence'> & { listed: Set<string>; reasons: string[] };

function takeListings(
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
  const { updates, listed, reasons, evidence } = takeListings(own, cellsOf(columns), view, extra);
  const first = malformed > 0 ? 'a row had an unknown shape' : (reasons[0] ?? null);
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

/** `reason` completes the sentence "TradingView …" and holds no secret. */
type FetchOutcome =
  | { kind: 'text'; text: string }
  | { kind: 'failed'; reason: string; retryAfterMs: number | null; unknownColumn: string | null };

/** A refusal may be about the account whose cookie is sent. */
const describeStatus = (status: number): string =>
  status === 401 || status === 403
    ? `${statusText(status)}; if BELLBIRD_TRADINGVIEW_COOKIE is set, it may have expired`
    : statusText(status);

/**
 * Makes one request and reads its body.
 * @returns the body of a 2xx answer, or why there is none; never rejects
 */
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
  /** Called once for each column that the platform does not know. */
  onUnknownColumn: (column: string) => void;
  /** Called for an answer of which nothing can be used. */
  onBadForm?: () => void;
};

/** This many unknown columns are found out within one poll; the next poll finds the rest. */
const MAX_COLUMN_RETRIES = 8;

const isSamePlace = (a: ExtraColumn, b: ExtraColumn): boolean =>
  a.tf === b.tf && a.key === b.key && a.valueKey === b.valueKey;

/**
 * Makes one poll at a time: asks, checks, reads. A column that the platform does not know (its list changes without
 * notice) is left out from then on, and the poll asked again; everything else that goes wrong fails the poll. An
 * indicator that nobody uses any more is cleared once, so that no old value stands in its place.
 * @returns `run`: never rejects; `signal` ends it early
 */
export function createPoll(options: PollOptions): { run(signal: AbortSignal): Promise<PollOutcome> } {
  const { http, url, cookie, timeoutMs } = options;
  const unknown = new Set<string>();
  /** Where the last applied answer put indicator values. */
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

import { NotFoundError } from 'elysia';
import PQueue from 'p-queue';
import { serve } from '#platform/http/routes.ts';
import { AppError, refusedFor, accepted } from '#platform/http/errors.ts';
import type { App, Part } from '#platform/app.ts';
import type { MarketSink, ReceivedBatch, RefusedUpdate } from '#market/sources/quotes.ts';
import { createKeyCheck } from '#platform/http/keyChecks.ts';
import { INGEST } from '../contract.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import { nextTurn } from '#lib/turns.ts';
import type { Refusal } from '#lib/result.ts';
import { isUnreadable, parseIngest, parseOvernight, type LineResult } from '#sources/quotes/ingest/parse.ts';
import { readText } from '#lib/http.ts';

type BodyLimits = { maxBytes: number; timeoutMs: number };

/** Closes the connection, because an unread rest would be parsed as the next request. */
const CLOSE = { headers: { connection: 'close' } };

/**
 * Reads a request's body as UTF-8 text, whatever its content type.
 * @param limits.timeoutMs the time limit from now
 * @returns null if the body is larger than `limits.maxBytes`
 * @throws AppError 400 if the connection broke, 408 on a timeout
 */
export async function readBody(
  { body, headers }: Request,
  { maxBytes, timeoutMs }: BodyLimits,
): Promise<string | null> {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) return null;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await readText(body?.pipeThrough(new TransformStream(), { signal }) ?? null, maxBytes);
  } catch (cause) {
    if (signal.aborted) {
      const message = 'The body took too long to arrive. Send it again, in smaller pieces.';
      throw new AppError(408, message, { cause, ...CLOSE });
    }
    throw new AppError(400, 'The body broke off before its end. Send it again.', { cause });
  }
}

type IngestAnswer = Wire<(typeof INGEST)['POST /api/ingest/market']['answer']>;
type IngestRejection = IngestAnswer['rejected'][number];

/** Lines per turn of the event loop, which take about 2 ms. */
const LINES_PER_TURN = 500;
/** Parts per turn of the event loop, which take about 5 ms. */
const PARTS_PER_TURN = 100;
const MAX_REPORTED = 1000;
const MAX_IGNORED_NAMES = 50;

/** Reads the lines in pieces, so that a large body does not delay the streams. */
async function collect(results: Iterable<LineResult>): Promise<LineResult[]> {
  const collected: LineResult[] = [];
  for (const result of results) {
    collected.push(result);
    if (collected.length % LINES_PER_TURN === 0) await nextTurn();
  }
  return collected;
}

const isUpdate = (result: LineResult): result is LineResult & { kind: 'update' } => result.kind === 'update';

const rejection = (line: number, code: string | null, { field, message }: Refusal): IngestRejection => ({
  line,
  code,
  error: message,
  ...(field === null ? {} : { field }),
});

/** Matches each refusal of the Market with the first unmatched line of its code. */
function refusedLines(
  refused: readonly RefusedUpdate[],
  updates: readonly (LineResult & { kind: 'update' })[],
): IngestRejection[] {
  const linesOf = Map.groupBy(updates, ({ update }) => update.code);
  return refused.map((update) =>
    rejection(linesOf.get(update.code)?.shift()?.line ?? 0, update.code, update),
  );
}

/** Unknown fields, and the number of stocks with each. */
function ignoredOf(updates: readonly (LineResult & { kind: 'update' })[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const field of updates.flatMap(({ ignored }) => ignored)) {
    if (counts.has(field) || counts.size < MAX_IGNORED_NAMES) counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  return counts;
}

/** Splits updates into parts with unique codes, because repeated quotes of a stock are applied one by one. */
function* withoutRepeats(updates: readonly StockUpdate[]): Generator<StockUpdate[], void> {
  let part = new Map<string, StockUpdate>();
  for (const update of updates) {
    if (part.has(update.code)) {
      yield [...part.values()];
      part = new Map();
    }
    part.set(update.code, update);
  }
  yield [...part.values()];
}

/** Applies updates in order, with pauses for other requests. */
async function applyAll(
  updates: readonly StockUpdate[],
  sink: Pick<MarketSink, 'apply'>,
): Promise<ReturnType<MarketSink['apply']>> {
  const total = { applied: 0, refused: [] as RefusedUpdate[] };
  let parts = 0;
  for (const part of withoutRepeats(updates)) {
    const { applied, refused } = sink.apply(part);
    total.applied += applied;
    total.refused.push(...refused);
    parts += 1;
    if (parts % PARTS_PER_TURN === 0) await nextTurn();
  }
  return total;
}

const newestQuoteOf = (updates: readonly StockUpdate[]): number | null =>
  updates.reduce<number | null>(
    (newest, { quoteTime }) => (quoteTime === undefined ? newest : Math.max(newest ?? quoteTime, quoteTime)),
    null,
  );

/**
 * Applies all valid stocks of a body: as one batch, unless a stock is repeated.
 * @param onApplied called with the result of the Market
 * @returns the applied and rejected updates, line by line
 * @throws AppError 400 if the body contains no stock
 */
export async function ingestBody(
  body: string,
  sink: Pick<MarketSink, 'apply'>,
  onApplied: (batch: ReceivedBatch) => void,
): Promise<IngestAnswer> {
  const results = await collect(accepted(parseIngest(body)));
  if (isUnreadable(results)) {
    throw new AppError(400, 'The body is neither JSON nor NDJSON. Send one JSON object per line.');
  }
  const valid = results.filter(isUpdate);
  const updates = valid.map(({ update }) => update);
  const { applied, refused } = await applyAll(updates, sink);
  onApplied({ applied, newestQuote: newestQuoteOf(updates) });
  const faulty = results.flatMap((result): IngestRejection[] =>
    result.kind === 'rejected' ? [rejection(result.line, result.code, result)] : [],
  );
  const rejected = [...faulty, ...refusedLines(refused, valid)].sort((a, b) => a.line - b.line);
  const ignored = ignoredOf(valid);
  return {
    applied,
    rejected: rejected.slice(0, MAX_REPORTED),
    rejectedCount: rejected.length,
    ...(ignored.size === 0 ? {} : { ignored: Object.fromEntries(ignored) }),
  };
}

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_OVERNIGHT_BYTES = 16 * 1024;
/** Limit of requests that wait for the running one. */
const MAX_WAITING = 19;
/** Time limit of a body, ms, because later requests wait for it. */
const BODY_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = 1;

const BUSY =
  'The market is still applying earlier updates. Send again in a second, several stocks per request.';

const busy = (): AppError => refusedFor(RETRY_AFTER_SECONDS, 429, BUSY);

/** Checks a bridge's key, before its body is read. The routes exist only if a key is configured. */
function keyCheckOf({ config: { ingestKey } }: App): (request: Request) => void {
  const isKey = ingestKey === null ? null : createKeyCheck(ingestKey);
  return ({ headers }) => {
    if (isKey === null) throw new NotFoundError();
    if (isKey(headers.get('authorization'))) return;
    throw new AppError(401, 'The ingest key is missing or wrong. Send it in the Authorization header.');
  };
}

async function bodyOf(request: Request, limits: BodyLimits, tooLarge: string): Promise<string> {
  const body = await readBody(request, limits);
  if (body === null) throw new AppError(413, tooLarge);
  return body;
}

/**
 * POST /ingest/market: market updates of a broker bridge as JSON or NDJSON. Bodies are applied in the order of their
 * requests, so that an earlier price never overwrites a later one. POST /ingest/overnight: figures of other markets.
 */
function routesOf(app: App, timeoutMs: number) {
  const { clock, market, overnight, source } = app;
  const checkKey = keyCheckOf(app);
  const queue = new PQueue({ concurrency: 1 });
  // Only the ingest source counts these updates.
  const received = source.received ?? (() => undefined);

  return serve(INGEST, {
    'POST /api/ingest/market': {
      handle: async ({ request }) => {
        checkKey(request);
        if (queue.size >= MAX_WAITING) throw busy();
        return queue.add(async () => {
          const body = await bodyOf(
            request,
            { maxBytes: MAX_BYTES, timeoutMs },
            'The body is larger than 4 MB. Send the stocks in several requests.',
          );
          return ingestBody(body, market, received);
        });
      },
      isRaw: true,
    },
    'POST /api/ingest/overnight': {
      handle: async ({ request }) => {
        checkKey(request);
        const limits = { maxBytes: MAX_OVERNIGHT_BYTES, timeoutMs };
        const body = await bodyOf(request, limits, 'The body is larger than 16 KB.');
        const figures = accepted(parseOvernight(body, clock.now()));
        overnight.receive(figures);
        return { applied: figures.length };
      },
      isRaw: true,
    },
  });
}

export const createIngest = (app: App, bodyTimeoutMs = BODY_TIMEOUT_MS) =>
  ({ name: 'ingest', routes: () => routesOf(app, bodyTimeoutMs) }) satisfies Part;

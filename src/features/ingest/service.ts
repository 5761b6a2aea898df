import type { StockUpdate } from '../../domain/stock.ts';
import { AppError } from '../../http/errors.ts';
import { isRubbish, parseIngest } from '../../sources/ingest/parse.ts';
import type { Verdict } from '../../sources/ingest/readLine.ts';
import type { MarketSink, Refusal } from '../../sources/source.ts';

export type IngestRejection = { line: number; code: string | null; error: string };

export type IngestAnswer = {
  /** Stocks that the Market took. */
  applied: number;
  /** At most the first 1,000, in order of their line. */
  rejected: IngestRejection[];
  rejectedCount: number;
  /** Unknown fields and in how many stocks they came; absent when there were none. */
  ignored?: Record<string, number>;
};

/** Verdicts made before other work gets its turn: about 2 ms. */
const CHUNK = 500;
const MOST_TOLD = 1000;
const MOST_IGNORED_NAMES = 50;

const nextTurn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** Collects the verdicts in pieces, so that a large body does not hold up the stream. */
const collect = async (verdicts: Iterable<Verdict>): Promise<Verdict[]> => {
  const collected: Verdict[] = [];
  for (const verdict of verdicts) {
    collected.push(verdict);
    if (collected.length % CHUNK === 0) await nextTurn();
  }
  return collected;
};

const isUpdate = (verdict: Verdict): verdict is Verdict & { kind: 'update' } => verdict.kind === 'update';

/** Gives each refusal of the Market the line it came from: the first of that code that has none yet. */
const refusedLines = (
  refused: readonly Refusal[],
  updates: readonly (Verdict & { kind: 'update' })[],
): IngestRejection[] => {
  const linesOf = Map.groupBy(updates, ({ update }) => update.code);
  return refused.map(({ code, reason }) => ({
    line: linesOf.get(code)?.shift()?.line ?? 0,
    code,
    error: reason,
  }));
};

const ignoredOf = (updates: readonly (Verdict & { kind: 'update' })[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const field of updates.flatMap(({ ignored }) => ignored)) {
    if (counts.has(field) || counts.size < MOST_IGNORED_NAMES)
      counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  return counts;
};

const newestQuoteOf = (updates: readonly StockUpdate[]): number | null =>
  updates.reduce<number | null>(
    (newest, { quoteTime }) => (quoteTime === undefined ? newest : Math.max(newest ?? quoteTime, quoteTime)),
    null,
  );

/**
 * Reads a body of market updates and applies all good stocks of it as one batch.
 * @param body JSON or NDJSON text
 * @param onApplied told what the batch brought
 * @returns what was applied and what was rejected, line by line
 * @throws AppError 400 when nothing in the body is a stock
 */
export const ingestBody = async (
  body: string,
  sink: Pick<MarketSink, 'apply'>,
  onApplied: (batch: { applied: number; newestQuote: number | null }) => void,
): Promise<IngestAnswer> => {
  const parsed = parseIngest(body);
  if (parsed.kind === 'rubbish') throw new AppError(400, parsed.error);
  const verdicts = await collect(parsed.verdicts);
  if (isRubbish(verdicts)) {
    throw new AppError(400, 'The body is neither JSON nor NDJSON. Send one JSON object per line.');
  }
  const good = verdicts.filter(isUpdate);
  const updates = good.map(({ update }) => update);
  const { applied, refused } = sink.apply(updates);
  onApplied({ applied, newestQuote: newestQuoteOf(updates) });
  const faulty = verdicts.flatMap((verdict): IngestRejection[] =>
    verdict.kind === 'rejected' ? [{ line: verdict.line, code: verdict.code, error: verdict.error }] : [],
  );
  const rejected = [...faulty, ...refusedLines(refused, good)].sort((a, b) => a.line - b.line);
  const ignored = ignoredOf(good);
  return {
    applied,
    rejected: rejected.slice(0, MOST_TOLD),
    rejectedCount: rejected.length,
    ...(ignored.size === 0 ? {} : { ignored: Object.fromEntries(ignored) }),
  };
};

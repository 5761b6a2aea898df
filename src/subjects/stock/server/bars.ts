import { STOCK, SYMBOLS } from '#subjects/stock/contract.ts';
import { serve } from '#platform/http/routes.ts';
import {
  type CallerKey,
  type CallerLimit,
  createCallerKey,
  createCallerLimit,
} from '#platform/http/requestLimits.ts';
import {
  createEncodedAnswers,
  createRunningAnswers,
  type Encoded,
  type EncodedAnswers,
  encodeInSteps,
  isSameVersion,
  sendEncoded,
} from '#platform/http/encodedAnswers.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import type { App, Part } from '#platform/app.ts';
import type { BarsAnswer } from '#market/bars/rules/barsAnswer.ts';
import { type ChartTimeframe, MAX_DAY_LINES } from '#market/bars/rules/bars.ts';
import { MARKET_LOADING, normaliseSymbol, unknownCode } from '#market/rules/liveSymbols.ts';
import { AppError, refusedFor } from '#platform/http/errors.ts';

/** A request for bars; `before` is epoch ms. */
type BarsQuestion = { symbol: string; tf?: ChartTimeframe; before?: number; limit?: number };

/** The caller as `callerKey` names it, and the request, which decides the encoding of the answer. */
type Asking = { caller: string; request: Request };

const DEFAULT_LIMIT = 500;

const unknown = (code: string): AppError =>
  new AppError(404, { field: 'symbol', message: unknownCode(code) });

const keyOf = (code: string, { tf, before, limit }: Omit<BarsQuestion, 'symbol'>): string =>
  JSON.stringify([code, tf, before, limit]);

/** Reads bars and day lines; equal concurrent requests share an answer. */
class Bars {
  private readonly running = createRunningAnswers<Encoded>();

  constructor(
    private readonly app: App,
    private readonly encoded: EncodedAnswers,
  ) {}

  /**
   * Encoded bars, cached until something changes.
   * @throws AppError 404 for an unknown stock, 503 before the first stock or if many requests wait, 429 for too many of
   * the caller
   */
  async bars({ symbol, ...wanted }: BarsQuestion, { caller, request }: Asking): Promise<Encoded> {
    const {
      app: {
        market,
        reads,
        values: { chart },
      },
      encoded,
    } = this;
    const code = normaliseSymbol(symbol);
    if (market.all().size === 0) throw refusedFor(2, 503, MARKET_LOADING);
    const key = keyOf(code, wanted);
    const version = chart.version(code);
    const known = version && encoded.get(key, version);
    if (known) return known;
    const fresh = await this.running.of(key, () =>
      reads.run(caller, 'bars', encodeInSteps(this.read(code, wanted), request, 1)),
    );
    // If the version changed during the read, the answer may mix versions and is not cached.
    if (version && isSameVersion(version, chart.version(code))) encoded.put(key, version, fresh);
    return fresh;
  }

  /** @throws AppError 400 for too many codes */
  async dayLines(symbols: string, { caller, request }: Asking): Promise<Encoded> {
    const { reads, values } = this.app;
    const codes = [...new Set(symbols.split(',').map(normaliseSymbol))].filter((code) => code !== '');
    if (codes.length === 0 || codes.length > MAX_DAY_LINES) {
      throw new AppError(400, { field: 'symbols', message: SYMBOLS });
    }
    return reads.run(caller, 'day lines', encodeInSteps(values.dayLines.read(codes), request, 1));
  }

  /** The replay jumped: drop cached and pending reads. */
  jump(): void {
    this.running.clear();
    this.encoded.clear();
  }

  private *read(
    code: string,
    { tf = '1', before, limit = DEFAULT_LIMIT }: Omit<BarsQuestion, 'symbol'>,
  ): Steps<BarsAnswer> {
    const {
      market,
      values: { chart },
    } = this.app;
    const known = yield* chart.read({ code, tf, before: before ?? null, limit });
    const isListed = market.all().has(code);
    if (!isListed && known.bars.time.length === 0) throw unknown(code);
    const note = isListed ? null : `${code} is not in the live list. Showing its last known bars.`;
    return { symbol: code, ...known, note };
  }
}

/** Limit per caller; an office may open twenty charts at once. */
const MAX_A_MINUTE = 600;
/** Bytes of cached answers: about thirty charts of 2,000 bars. */
const MAX_ENCODED = 8_000_000;

const routesOf = (bars: Bars, countRead: CallerLimit, callerKey: CallerKey) =>
  serve(STOCK, {
    'GET /api/data/bars': async ({ user, query, request }) => {
      countRead(user, request);
      const caller = callerKey(user, request);
      return sendEncoded(await bars.bars(query, { caller, request }), request);
    },
    'GET /api/data/day-lines': async ({ user, query, request }) => {
      countRead(user, request);
      const caller = callerKey(user, request);
      return sendEncoded(await bars.dayLines(query.symbols, { caller, request }), request);
    },
  });

export function createBars(app: App) {
  const { chart } = app.values;
  const encoded = createEncodedAnswers(MAX_ENCODED);
  const countRead = createCallerLimit(app, MAX_A_MINUTE, 'Too many requests for bars.');
  const service = new Bars(app, encoded);
  const figures = () => ({ held: chart.held(), encoded: encoded.size() });
  return {
    name: 'bars',
    service,
    routes: () => routesOf(service, countRead, createCallerKey(app)),
    onJump: () => service.jump(),
    inspect: () => ({
      label: 'Bars for charts',
      description: 'Rows and encoded answers in the cache.',
      summary: figures(),
      data: figures,
    }),
  } satisfies Part;
}

import type { Wire } from '../../../lib/contract/fields.ts';
import type { PastBars } from '../../../market/bars/pastBars.ts';
import { dateOf, dayOf } from '../../../market/rules/localTime.ts';
import { addDays } from '../../../market/rules/sydneyTime.ts';
import { MARKET_LOADING } from '../../../market/rules/liveSymbols.ts';
import type { Market } from '../../../market/types.ts';
import {
  encodeInSteps,
  type Encoded,
  type EncodedAnswers,
  isSameVersion,
  type Version,
} from '../../../platform/http/encodedAnswers.ts';
import { refusedFor } from '../../../platform/http/errors.ts';
import type { ReadQueue, Steps } from '../../../platform/http/readQueue.ts';
import type { priceRangesAnswer } from '../answers/priceRanges.ts';
import type { usualValueAnswer } from '../answers/usualValue.ts';
import { MAX_SESSIONS, meanCurve, type SessionCurves } from '../rules/valueCurve.ts';
import type { CurveStore } from './curveStore.ts';
import { pastCurves } from './pastCurves.ts';

/** A year of trading days. */
const YEAR_DAYS = 260;
const STOCKS_A_STEP = 4;

export type GlanceServiceDeps = {
  market: Pick<Market, 'all' | 'date'>;
  past: PastBars;
  /** Null where the source can tell its past at any time: then nothing is kept. */
  store: CurveStore | null;
  reads: Pick<ReadQueue, 'run'>;
  encoded: EncodedAnswers;
};

/** What is compared with the running session: the value usually traded, and the ranges of the daily bars. */
export class GlanceService {
  private readonly running = new Map<string, Promise<Encoded>>();

  constructor(private readonly deps: GlanceServiceDeps) {}

  /** @param request whose answer is packed as it takes it @throws AppError 503 while no stock is there yet or many wait */
  usualValue(request: Request): Promise<Encoded> {
    return this.answer('usual value', request, () => this.readUsual());
  }

  /** As `usualValue`. */
  priceRanges(request: Request): Promise<Encoded> {
    return this.answer('price ranges', request, () => this.readRanges());
  }

  /** The market is at another moment: what is being read, and what was, is none of it. */
  jump(): void {
    this.running.clear();
    this.deps.encoded.clear();
  }

  /**
   * The same answer for everybody as long as the session and its stocks are the same: reading it has turns of its own, so
   * that who asked first can still open a row meanwhile.
   */
  private async answer(what: string, request: Request, read: () => Steps<unknown>): Promise<Encoded> {
    const { market, reads, encoded } = this.deps;
    if (market.all().size === 0) throw refusedFor(2, 503, MARKET_LOADING);
    const version = this.version();
    const known = encoded.get(what, version);
    if (known) return known;
    const key = `${what} ${version.join(' ')}`;
    const same = this.running.get(key);
    if (same) return same;
    const fresh = Promise.resolve(reads.run(what, what, encodeInSteps(read(), request))).finally(() => {
      if (this.running.get(key) === fresh) this.running.delete(key);
    });
    this.running.set(key, fresh);
    const made = await fresh;
    if (isSameVersion(version, this.version())) encoded.put(what, version, made);
    return made;
  }

  private version(): Version {
    return [this.deps.market.date(), this.deps.market.all().size];
  }

  private *readUsual(): Steps<Wire<typeof usualValueAnswer>> {
    const { market, past, store } = this.deps;
    const date = market.date();
    const sessions: readonly SessionCurves[] =
      store === null ? yield* pastCurves(past, market.all(), date) : store.before(date, MAX_SESSIONS);
    const mean = (kind: keyof SessionCurves) => [...meanCurve(sessions.map((one) => one[kind]))];
    return { date, sessions: sessions.length, shares: mean('shares'), funds: mean('funds') };
  }

  private *readRanges(): Steps<Wire<typeof priceRangesAnswer>> {
    const { market, past } = this.deps;
    const date = market.date();
    const end = dayOf(date);
    const first = dayOf(addDays(date, -364));
    const answer = { date, since: null as string | null, codes: [], highs: [], lows: [] } as Wire<
      typeof priceRangesAnswer
    >;
    let since = end;
    for (const [index, { code, yearRange }] of [...market.all().values()].entries()) {
      if (index % STOCKS_A_STEP === 0) yield;
      if (yearRange) continue;
      const days = past.days(code, YEAR_DAYS).filter(({ key }) => key >= first && key < end);
      if (days.length === 0) continue;
      answer.codes.push(code);
      answer.highs.push(Math.max(...days.map(({ high }) => high)));
      answer.lows.push(Math.min(...days.map(({ low }) => low)));
      since = Math.min(since, days[0]?.key ?? end);
    }
    return { ...answer, since: since === end ? null : dateOf(since) };
  }
}

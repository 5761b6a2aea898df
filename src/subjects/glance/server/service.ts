import type { Wire } from '#lib/contract/fields.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import { dateOf } from '#market/rules/localTime.ts';
import { MARKET_LOADING } from '#market/rules/liveSymbols.ts';
import type { Market } from '#market/types.ts';
import {
  encodeInSteps,
  type Encoded,
  type EncodedAnswers,
  isSameVersion,
  type Version,
} from '#platform/http/encodedAnswers.ts';
import { refusedFor } from '#platform/http/errors.ts';
import type { ReadQueue, Steps } from '#platform/http/readQueue.ts';
import { createRunningAnswers } from '#platform/http/runningAnswers.ts';
import type { priceRangesAnswer } from '../answers/priceRanges.ts';
import type { usualValueAnswer } from '../answers/usualValue.ts';
import { MAX_SESSIONS, meanCurve, type SessionCurves } from '../rules/valueCurve.ts';
import type { CurveStore, SeenSessions } from './curveStore.ts';
import { pastCurves } from './pastCurves.ts';
import { type PastDays, readPastDays } from './pastDays.ts';

export type GlanceServiceDeps = {
  market: Pick<Market, 'all' | 'date'>;
  past: PastBars;
  /** Null where the source can tell its past at any time: then nothing is kept. */
  store: CurveStore | null;
  reads: Pick<ReadQueue, 'runShared'>;
  encoded: EncodedAnswers;
};

/**
 * What is compared with the running session: the value usually traded, and the ranges of the daily bars. Each is the same
 * answer for everybody as long as the session and its stocks are the same.
 */
export class GlanceService {
  private readonly answers = createRunningAnswers<Encoded>();
  /** Both answers come from the same bars: kept until none of them is on its way. */
  private days: { of: string; read: Promise<PastDays> } | null = null;

  constructor(private readonly deps: GlanceServiceDeps) {}

  /** @param request whose answer is packed as it takes it @throws AppError 503 while no stock is there yet */
  usualValue(request: Request): Promise<Encoded> {
    return this.answer('usual value', request, () => this.readUsual());
  }

  /** As `usualValue`. */
  priceRanges(request: Request): Promise<Encoded> {
    return this.answer('price ranges', request, () => this.readRanges());
  }

  /** How much was seen of the sessions from a date on; nothing is known of it where the source can tell its past. */
  seenSince = (date: string): SeenSessions =>
    this.deps.store?.seenSince(date) ?? { first: null, shares: new Map() };

  /** The market is at another moment: what is being read, and what was, is none of it. */
  jump(): void {
    this.answers.clear();
    this.days = null;
    this.deps.encoded.clear();
  }

  private async answer(
    what: string,
    request: Request,
    read: () => Promise<Steps<unknown>>,
  ): Promise<Encoded> {
    const { market, reads, encoded } = this.deps;
    if (market.all().size === 0) throw refusedFor(2, 503, MARKET_LOADING);
    const version = this.version();
    const known = encoded.get(what, version);
    if (known) return known;
    try {
      const made = await this.answers.of(`${what} ${version.join(' ')}`, async () =>
        reads.runShared(encodeInSteps(await read(), request)),
      );
      if (isSameVersion(version, this.version())) encoded.put(what, version, made);
      return made;
    } finally {
      if (this.answers.size() === 0) this.days = null;
    }
  }

  private version(): Version {
    return [this.deps.market.date(), this.deps.market.all().size];
  }

  private pastDays(): Promise<PastDays> {
    const { market, past, reads } = this.deps;
    const of = this.version().join(' ');
    if (this.days?.of !== of) {
      this.days = { of, read: reads.runShared(readPastDays(past, market.all(), market.date())) };
    }
    return this.days.read;
  }

  private async readUsual(): Promise<Steps<Wire<typeof usualValueAnswer>>> {
    const { market, past, store } = this.deps;
    const date = market.date();
    if (store !== null) return usualOf(date, storedCurves(store, date));
    const days = await this.pastDays();
    return usualOf(date, pastCurves({ past, days }, market.all(), date));
  }

  private async readRanges(): Promise<Steps<Wire<typeof priceRangesAnswer>>> {
    const date = this.deps.market.date();
    return rangesOf(date, await this.pastDays());
  }
}

function* storedCurves(store: CurveStore, date: string): Steps<SessionCurves[]> {
  yield;
  return store.before(date, MAX_SESSIONS);
}

function* usualOf(date: string, curves: Steps<SessionCurves[]>): Steps<Wire<typeof usualValueAnswer>> {
  const sessions = yield* curves;
  const mean = (kind: keyof SessionCurves) => [...meanCurve(sessions.map((one) => one[kind]))];
  return { date, sessions: sessions.length, shares: mean('shares'), funds: mean('funds') };
}

function* rangesOf(date: string, { ranges, since }: PastDays): Steps<Wire<typeof priceRangesAnswer>> {
  yield;
  const values = [...ranges.values()];
  return {
    date,
    since: since === null ? null : dateOf(since),
    codes: [...ranges.keys()],
    highs: values.map(({ high }) => high),
    lows: values.map(({ low }) => low),
  };
}

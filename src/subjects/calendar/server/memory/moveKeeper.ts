import { MINUTE_MS } from '#lib/units.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { isRecord } from '#lib/json.ts';
import {
  changeOf,
  type Horizon,
  HORIZONS,
  isOpenAround,
  largestOf,
  notMeasured,
} from '#subjects/calendar/rules/marketMoves.ts';
import { type Member, reactionOf, measureByBars } from './measure.ts';
import type { MarketReaction, MoveStore } from './moveStore.ts';
import { FirstFailure } from '#lib/log.ts';
import type { App } from '#platform/app.ts';
import { type FactStore, factStore } from '#platform/db/facts.ts';
import { finish, type Steps } from '#platform/http/readQueue.ts';
import { type CalendarEvent, hasFigure } from '#market/calendar/rules/calendarEvent.ts';
import { timeOf } from '#market/calendar/rules/days.ts';

/** Minutes after the moment at which prices are compared. */
const TARGETS = [0, 5, 30] as const;
/** A watched moment with the last prices before each target time. */
export type Sample = {
  time: number;
  members: Member[];
  /** Per target, the price of each stock; null for none. */
  prices: (number | null)[][];
  /** Per target, the feed's time of the last sample before it; null for none. */
  seen: (number | null)[];
  /** Per target, whether a sample was taken after it. */
  passed: boolean[];
};

/** The price of a stock and its quote time, epoch ms; null if the provider gives none. */
type QuoteOf = (code: string) => { last: number | null; quotedAt: number | null };

const beginSample = (time: number, members: readonly Member[]): Sample => ({
  time,
  members: [...members],
  prices: TARGETS.map(() => members.map(() => null)),
  seen: TARGETS.map(() => null),
  passed: TARGETS.map(() => false),
});

/**
 * Takes one sample. The quote time decides, not the arrival: a price counts for every target after its quote.
 * @param feedNow the feed's time of the last prices, epoch ms: arrival minus the delay
 */
export function sampleQuote(sample: Sample, quoteOf: QuoteOf, feedNow: number): void {
  const targets = TARGETS.map((minutes) => sample.time + minutes * MINUTE_MS);
  for (const [index, target] of targets.entries()) {
    if (feedNow < target) sample.seen[index] = feedNow;
    else sample.passed[index] = true;
  }
  const date = sydneyDate(sample.time);
  for (const [at, { code }] of sample.members.entries()) {
    const { last, quotedAt } = quoteOf(code);
    const quoted = quotedAt ?? feedNow;
    if (last === null || sydneyDate(quoted) !== date) continue;
    for (const [index, target] of targets.entries()) {
      const prices = sample.prices[index];
      if (prices && quoted < target) prices[at] = last;
    }
  }
}

/** Whether all targets have passed. @param minutes the last target in market hours */
const isSampled = ({ time }: Sample, minutes: Horizon, feedNow: number): boolean =>
  feedNow >= time + (minutes + 1) * MINUTE_MS;

/**
 * The market reaction by the samples; none across a gap without samples.
 * @param maxGapMs how long before a target the last sample may be
 */
export function moveOf(sample: Sample, maxGapMs: number): MarketReaction {
  const { time, members, prices, seen, passed } = sample;
  const isSeen = (index: number): boolean => {
    const target = time + (TARGETS[index] ?? 0) * MINUTE_MS;
    const last = seen[index] ?? null;
    return passed[index] === true && last !== null && target - last <= maxGapMs;
  };
  const changesTo = (index: number) =>
    members.map((_, at) =>
      isSeen(0) && isSeen(index)
        ? changeOf({ before: prices[0]?.[at] ?? null, after: prices[index]?.[at] ?? null })
        : null,
    );
  const [changes5, changes30] = [changesTo(1), changesTo(2)];
  const reactionAfter = (minutes: Horizon, index: number, changes: readonly (number | null)[]) =>
    reactionOf(members, changes, { time, minutes, isUnseen: !isSeen(0) || !isSeen(index) });
  return {
    codes: members.map(({ code }) => code),
    after5: reactionAfter(5, 1, changes5),
    after30: reactionAfter(30, 2, changes30),
    changes5,
    changes30,
  };
}

const isNumberOrNull = (value: unknown): value is number | null => value === null || Number.isFinite(value);

/** Samples of an earlier run, without unreadable ones. */
function readSamples(kept: unknown): Sample[] {
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one: unknown): Sample[] => {
    if (!isRecord(one) || !Number.isSafeInteger(one['time']) || !Array.isArray(one['members'])) return [];
    const members = one['members'].flatMap((member: unknown): Member[] =>
      isRecord(member) && typeof member['code'] === 'string' && typeof member['cap'] === 'number'
        ? [{ code: member['code'], cap: member['cap'] }]
        : [],
    );
    const sample = beginSample(Number(one['time']), members);
    const [prices, seen, passed] = [one['prices'], one['seen'], one['passed']];
    if (members.length !== one['members'].length) return [];
    for (const index of TARGETS.keys()) {
      const row: unknown = Array.isArray(prices) ? prices[index] : null;
      const at: unknown = Array.isArray(seen) ? seen[index] : null;
      if (Array.isArray(row) && row.length === members.length && row.every(isNumberOrNull)) {
        sample.prices[index] = row;
      }
      if (isNumberOrNull(at)) sample.seen[index] = at;
      sample.passed[index] = Array.isArray(passed) && passed[index] === true;
    }
    return [sample];
  });
}

/** Limit of cached answers; the moments of three days are checked repeatedly. */
const MAX_KNOWN = 2000;

/** The last target in market hours; null if there is none. */
const lastHorizon = (time: number): Horizon | null =>
  isOpenAround(time, 30) ? 30 : isOpenAround(time, 5) ? 5 : null;

/** Finds publication moments in market hours. */
class Moments {
  readonly #known = new Map<number, Horizon | null>();

  /** Moments without duplicates, each with its last target in market hours. */
  of(events: Iterable<CalendarEvent>): Map<number, Horizon> {
    const found = new Map<number, Horizon>();
    for (const event of events) {
      const time = hasFigure(event) ? timeOf(event) : null;
      const horizon = time === null ? null : this.#horizonOf(time);
      if (time !== null && horizon !== null) found.set(time, horizon);
    }
    return found;
  }

  #horizonOf(time: number): Horizon | null {
    const known = this.#known.get(time);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const horizon = lastHorizon(time);
    this.#known.set(time, horizon);
    return horizon;
  }
}

/** Interval at which due moments are checked, ms; other ticks do nothing. */
const CHECK_MS = 15_000;
/** How long after the last minute late quotes can arrive, ms. */
const SETTLED_MS = 2 * MINUTE_MS;
/** How long before a moment sampling begins if there are no minute bars, ms. */
const BEFORE_MS = 2 * MINUTE_MS;
/** Allowed gap without samples; a feed delivers several times a minute, and one request may fail. */
const MAX_GAP_MS = MINUTE_MS;
const MAX_GAP_INTERVALS = 2.5;
/** Events are listed for two days, so older moments are settled; ms. */
const KNOWN_SINCE_MS = 4 * 24 * 60 * MINUTE_MS;

/** Limit of cached reactions of moments that are not over. */
const MAX_BEGUN = 50;

/**
 * Measures and stores the market reaction to each publication. With minute bars it measures once at the end, because
 * bars survive a restart. Otherwise it samples prices from shortly before the moment, and stores each sample.
 */
export class MoveKeeper {
  readonly #moments = new Moments();
  readonly #failure: FirstFailure;
  readonly #facts: FactStore;
  readonly #factKey: string;
  #done = new Set<number>();
  #samples: Sample[] = [];
  readonly #begun = new Map<number, MarketReaction>();
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly app: App,
    private readonly store: MoveStore,
  ) {
    this.#facts = factStore(app.db);
    this.#factKey = `calendar_samples_${app.source.name}`;
    const message = 'Could not save the price moves after an event; trying again';
    this.#failure = new FirstFailure(app.log.child('calendar'), message);
  }

  /** Loads the samples of an earlier run. */
  restore(): void {
    const { source } = this.app;
    this.#done = new Set(this.store.timesSince(source.clock.now() - KNOWN_SINCE_MS));
    this.#samples = source.hasMinutes ? [] : readSamples(this.#facts.read(this.#factKey));
  }

  check(): void {
    const reading = this.app.clock.monotonic();
    if (reading - this.#checkedAt < CHECK_MS) return;
    this.#checkedAt = reading;
    try {
      const moments = this.#moments.of(this.app.calendar.events().values());
      if (this.app.source.hasMinutes) this.#measureDue(moments);
      else this.#sample(moments);
      this.#failure.ended();
    } catch (error) {
      this.#failure.failed(error);
    }
  }

  /** Whether a moment may still be measured later. */
  isPending(time: number): boolean {
    const last = lastHorizon(time) ?? 0;
    return !this.#done.has(time) && this.#feedNow() < time + last * MINUTE_MS + 2 * SETTLED_MS;
  }

  /** Reaction in the first minutes after a moment that is not over; null until they have passed. */
  *soFar(time: number): Steps<MarketReaction | null> {
    const [first, last] = HORIZONS;
    const isOver = this.#feedNow() >= time + first * MINUTE_MS + SETTLED_MS;
    if (!this.isPending(time) || lastHorizon(time) !== last || !isOver) return null;
    const held = this.#begun.get(time);
    if (held) return held;
    const move = yield* this.#measured(time);
    if (move === null || move.codes.length === 0) return null;
    const begun = {
      ...move,
      after30: notMeasured('pending'),
      changes30: move.codes.map(() => null),
    };
    if (this.#begun.size >= MAX_BEGUN) this.#begun.clear();
    this.#begun.set(time, begun);
    return begun;
  }

  *#measured(time: number): Steps<MarketReaction | null> {
    const { source, values: past } = this.app;
    if (source.hasMinutes) return yield* measureByBars(past, this.#members(), time);
    const sample = this.#samples.find((one) => one.time === time);
    return sample ? moveOf(sample, this.#maxGapMs()) : null;
  }

  counts(): { measured: number; watched: number } {
    return { measured: this.#done.size, watched: this.#samples.length };
  }

  /** The time of the feed's latest prices, epoch ms. */
  #feedNow(): number {
    const { clock, delayMinutes } = this.app.source;
    return clock.now() - delayMinutes() * MINUTE_MS;
  }

  #members(): Member[] {
    return largestOf(this.app.market.all().values());
  }

  #measureDue(moments: ReadonlyMap<number, Horizon>): void {
    const {
      app: { values: past },
      store,
    } = this;
    const until = this.#feedNow() - SETTLED_MS;
    for (const [time, horizon] of moments) {
      if (this.#done.has(time) || until < time + horizon * MINUTE_MS) continue;
      store.put(time, finish(measureByBars(past, this.#members(), time)));
      this.#done.add(time);
      // Measures one moment per check, because each takes some ms.
      return;
    }
  }

  #sample(moments: ReadonlyMap<number, Horizon>): void {
    const { source, market } = this.app;
    const feedNow = this.#feedNow();
    for (const [time] of moments) {
      const isDue = feedNow >= time - BEFORE_MS && feedNow < time;
      if (!isDue || this.#done.has(time) || this.#samples.some((sample) => sample.time === time)) continue;
      this.#samples.push(beginSample(time, this.#members()));
    }
    if (this.#samples.length === 0) return;
    const quoteOf = (code: string) => ({
      last: market.get(code)?.last ?? null,
      quotedAt: market.statedQuoteTime(code),
    });
    const { healthy, lastSuccess } = source.health();
    if (healthy && lastSuccess !== null) {
      const knownUntil = Math.min(feedNow, lastSuccess - source.delayMinutes() * MINUTE_MS);
      for (const sample of this.#samples) sampleQuote(sample, quoteOf, knownUntil);
    }
    for (const sample of this.#samples) this.#settle(sample, moments.get(sample.time), feedNow);
    this.#samples = this.#samples.filter(({ time }) => !this.#done.has(time) && moments.has(time));
    this.#facts.write(this.#factKey, this.#samples);
  }

  #settle(sample: Sample, horizon: Horizon | undefined, feedNow: number): void {
    if (horizon === undefined || !isSampled(sample, horizon, feedNow)) return;
    this.store.put(sample.time, moveOf(sample, this.#maxGapMs()));
    this.#done.add(sample.time);
  }

  #maxGapMs(): number {
    return Math.max(MAX_GAP_MS, (this.app.source.everyMs ?? 0) * MAX_GAP_INTERVALS);
  }
}

import type { Log } from '#lib/log.ts';
import type { SourceMemory } from '../source.ts';

/** A stock that is missing from this many answers in a row is delisted. */
const MISSED_ANSWERS = 3;
/** A list that shrank by more than a tenth is a fault of the platform rather than this many delistings in a day. */
const MIN_SHARE = 0.9;
/** So few may always go, for lists of a handful of stocks. */
const A_FEW = 5;
/** After so long the shorter list is believed; and so long a list must hold before a smaller one is measured by it. */
const BELIEVED_AFTER_MS = 60 * 60_000;

/** A list that is too short to be true: how many stocks it holds, and how many there were. */
export type ShortList = { listed: number; expected: number };

/** The length of list that a run measured by last, for the next one. */
export type KeptLength = {
  /** 0 for none. */
  read(): number;
  write(length: number): void;
};

const KEY = 'tradingview_listed';
const MAX_LENGTH = 100_000;

/** Keeps it in a source's memory; where that can't be written it is known in this run all the same. */
export const keptLength = (memory: SourceMemory, log: Log): KeptLength => ({
  read() {
    const length = Number(memory.read(KEY));
    return Number.isSafeInteger(length) && length > 0 && length <= MAX_LENGTH ? length : 0;
  },
  write(length) {
    try {
      memory.write(KEY, String(length));
    } catch (error) {
      log.warn('How many stocks are listed could not be kept over a restart', { error });
    }
  },
});

/** Remembers which stocks the provider lists, to find those that it lists no more. */
export class Listing {
  private readonly missed = new Map<string, number>();
  /** The length of list that later ones are measured by, and since when: many small steps down are short too. */
  private expected: { length: number; since: number } | null = null;
  private shortSince: number | null = null;
  private short: ShortList | null = null;

  /** @param monotonic ms, not the time of day */
  constructor(
    private readonly monotonic: () => number,
    private readonly kept: KeptLength = { read: () => 0, write: () => undefined },
  ) {}

  /** Takes the codes of a complete answer. @returns those to take off the Market */
  missing(listed: ReadonlySet<string>): string[] {
    const { missed } = this;
    const now = this.monotonic();
    this.expected ??= { length: this.kept.read(), since: now };
    const { length: expected } = this.expected;
    const whole = this.isWhole(listed.size, this.expected, now);
    this.short = whole ? null : { listed: listed.size, expected };
    if (!whole) return [];
    for (const [code, times] of missed) if (!listed.has(code)) missed.set(code, times + 1);
    for (const code of listed) missed.set(code, 0);
    const gone = [...missed].filter(([, times]) => times >= MISSED_ANSWERS).map(([code]) => code);
    for (const code of gone) missed.delete(code);
    return gone;
  }

  /** Set while the newest answer was too short: nothing is taken off then. */
  shortList(): ShortList | null {
    return this.short;
  }

  /** Whether the list may be believed. */
  private isWhole(
    length: number,
    { length: expected, since }: { length: number; since: number },
    now: number,
  ): boolean {
    if (length >= Math.min(expected * MIN_SHARE, expected - A_FEW)) {
      this.shortSince = null;
      if (length >= expected || now - since >= BELIEVED_AFTER_MS) this.expect(length, now);
      return true;
    }
    this.shortSince ??= now;
    if (now - this.shortSince < BELIEVED_AFTER_MS) return false;
    this.shortSince = null;
    this.expect(length, now);
    return true;
  }

  private expect(length: number, now: number): void {
    if (length !== this.expected?.length) this.kept.write(length);
    this.expected = { length, since: now };
  }
}

import type { Circuit } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { isUnchanged } from '#market/rules/quoteLag.ts';
import type { MissingField } from '#market/sources/announcements.ts';
import type { MissingFields, SourceMemory } from '#sources/answerForm.ts';
import { durationText, failureSentences } from '#sources/pollHealth.ts';
import { formatNumber } from '#texts/format.ts';
import type { SourceHealth } from '#market/sources/quotes.ts';

type LoginState =
  | 'unchanged'
  /** Prices with this cookie were live and are no longer. */
  | 'lost'
  /** Prices were live with the previous cookie, but not with this one. */
  | 'newNotTaken';

const LIVE_KEY = 'tradingview_live';

const markOf = (cookie: string): string =>
  new Bun.CryptoHasher('sha256').update(`tradingview cookie\n${cookie}`).digest('base64url').slice(0, 16);

/**
 * Tracks whether prices are live with the cookie, over restarts. Without a cookie it forgets, because delayed
 * prices are then intended.
 * @param cookie null if none is set
 * @returns a function that is given whether an answer's prices are live, and returns the state
 */
export function createLoginWatch(
  cookie: string | null,
  memory: SourceMemory,
  log: Log,
): (isLive: boolean) => LoginState {
  const mark = cookie === null ? null : markOf(cookie);
  let live: string | null | undefined;

  function remember(next: string | null): void {
    live = next;
    try {
      memory.write(LIVE_KEY, next);
    } catch (error) {
      log.warn('Could not save whether prices are live', { error });
    }
  }

  function known(): string | null {
    if (live !== undefined) return live;
    const kept = memory.read(LIVE_KEY);
    return (live = typeof kept === 'string' ? kept : null);
  }

  return (isLive) => {
    const before = known();
    if (mark === null || isLive) {
      if (before !== mark) remember(mark);
      return 'unchanged';
    }
    if (before === null) return 'unchanged';
    return before === mark ? 'lost' : 'newNotTaken';
  };
}

/** A stock missing from this many consecutive answers is delisted. */
const MISSED_ANSWERS = 3;
/** A larger loss is a fault of the platform, not delistings of a day. */
const MIN_SHARE = 0.9;
const A_FEW = 5;
/** A shorter list is accepted after this time, and only then are smaller ones compared to it. */
const BELIEVED_AFTER_MS = 60 * 60_000;

/** A list too short to be accepted. */
type ShortList = { listed: number; expected: number };

type KeptLength = {
  read(): number;
  write(length: number): void;
};

const LISTED_KEY = 'tradingview_listed';
const MAX_LENGTH = 100_000;

/** Stores the list's length in the source's memory, or for this run only if there is none. */
export const keptLength = (memory: SourceMemory, log: Log): KeptLength => ({
  read() {
    const length = Number(memory.read(LISTED_KEY));
    return Number.isSafeInteger(length) && length > 0 && length <= MAX_LENGTH ? length : 0;
  },
  write(length) {
    try {
      memory.write(LISTED_KEY, String(length));
    } catch (error) {
      log.warn('Could not save how many stocks are listed', { error });
    }
  },
});

export class Listing {
  private readonly missed = new Map<string, number>();
  /** The reference length and since when it applies. It also detects many small steps down. */
  private expected: { length: number; since: number } | null = null;
  private shortSince: number | null = null;
  private short: ShortList | null = null;

  constructor(
    private readonly monotonic: () => number,
    private readonly kept: KeptLength = { read: () => 0, write: () => undefined },
  ) {}

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

  shortList(): ShortList | null {
    return this.short;
  }

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

/** Fewer rows prove nothing, because any column may be empty for a handful of stocks. */
const MIN_ROWS = 20;
type Group = {
  name: string;
  columns: readonly string[];
  /** Set if the columns are empty outside continuous trading, so that they are checked only during it. */
  isOfTrading?: true;
};

const GROUPS: readonly Group[] = [
  { name: 'names', columns: ['description'] },
  { name: 'open prices', columns: ['open'] },
  { name: 'highs', columns: ['high'] },
  { name: 'lows', columns: ['low'] },
  { name: 'volumes', columns: ['volume'] },
  { name: 'changes', columns: ['change', 'change_abs'] },
  { name: 'VWAP', columns: ['VWAP|1', 'VWAP|5'], isOfTrading: true },
  { name: 'market caps', columns: ['market_cap_basic'] },
  {
    name: 'relative volumes',
    columns: ['relative_volume_intraday|5', 'relative_volume_10d_calc'],
    isOfTrading: true,
  },
  { name: 'sectors', columns: ['sector'] },
  { name: '52-week ranges', columns: ['price_52_week_high', 'price_52_week_low'] },
  { name: 'times of quotes', columns: ['last_bar_update_time', 'time|1'], isOfTrading: true },
];
const GROUPED = new Set(GROUPS.flatMap(({ columns }) => columns));
const UNSHOWN = new Set(['name', 'close', 'type', 'typespecs', 'Value.Traded', 'update_mode', 'time']);

/**
 * Fields that are empty for all stocks, named as in the tables; indicators by the platform's names.
 * @param asked the requested columns
 * @param filled rows with a value, by column
 * @param rows number of rows
 * @param isTrading whether continuous trading is on
 */
export function missingOf(
  asked: readonly string[],
  { filled, rows }: { filled: ReadonlyMap<string, number>; rows: number },
  isTrading: boolean,
): string[] {
  if (rows < MIN_ROWS) return [];
  const isEmpty = (column: string): boolean => asked.includes(column) && (filled.get(column) ?? 0) === 0;
  const groups = GROUPS.filter(({ isOfTrading }) => isTrading || !isOfTrading)
    .filter(({ columns }) => columns.some((column) => asked.includes(column)))
    .filter(({ columns }) => columns.every((column) => isEmpty(column) || !asked.includes(column)))
    .map(({ name }) => name);
  const others = asked.filter((column) => !GROUPED.has(column) && !UNSHOWN.has(column) && isEmpty(column));
  return [...groups, ...others];
}

const TRADING_NAMES = new Set(GROUPS.filter(({ isOfTrading }) => isOfTrading).map(({ name }) => name));

/**
 * Whether an answer proves that a field of `missingOf` is missing.
 * @param rows number of rows
 * @param isTrading whether continuous trading is on
 */
export const isJudged = (name: string, rows: number, isTrading: boolean): boolean =>
  rows >= MIN_ROWS && (isTrading || !TRADING_NAMES.has(name));

type FeedProblems = {
  missing: readonly string[];
  login: LoginState;
};

const NAMED = 4;
const LOGIN_TEXTS: Readonly<Record<LoginState, string | null>> = {
  unchanged: null,
  lost: 'Prices are delayed: TradingView no longer accepts this server’s cookie. Renew it.',
  newNotTaken:
    'Prices are still delayed: the new cookie does not give live prices, although the previous one did.',
};

export function feedProblemText({ missing, login }: FeedProblems): string | null {
  const named = missing.slice(0, NAMED).join(', ');
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  const sentences = [
    LOGIN_TEXTS[login],
    missing.length > 0 && `TradingView sends no ${named}${more} for any stock, so these fields are empty.`,
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ') || null;
}

/**
 * Tracks defects of the answers and logs each change.
 * @param watchLogin takes whether prices are live
 * @param fields tracks since when something is missing
 */
export function createFeedProblems(
  log: Log,
  watchLogin: (isLive: boolean) => LoginState,
  fields: MissingFields,
) {
  let problems: FeedProblems = { missing: [], login: 'unchanged' };

  return {
    /** @param mode update_mode of most rows @param judged whether the answer judges a field; all if absent */
    note(missing: readonly string[], mode: string | null, judged?: (name: string) => boolean): void {
      fields.note(missing, judged);
      const missingNow = fields.current().map(({ name }) => name);
      const next = { missing: missingNow, login: watchLogin(mode === 'streaming') };
      const before = feedProblemText(problems);
      problems = next;
      const text = feedProblemText(next);
      if (text !== before) {
        if (text === null) log.info('TradingView sends all fields again');
        else log.warn(text);
      }
    },
    current: (): FeedProblems => problems,
    fields: (): readonly MissingField[] => fields.current(),
  };
}

export type FeedState = {
  circuit: Circuit;
  failure: string | null;
  lastSuccess: number | null;
  nextAttempt: number | null;
  measuredLagMs: number | null;
  shortList: ShortList | null;
  problems: FeedProblems;
};

function failureProblem(state: FeedState, failure: string, now: number): string {
  const { lastSuccess } = state;
  const prices =
    lastSuccess === null
      ? 'No prices have arrived yet.'
      : `The prices shown are ${durationText(now - lastSuccess)} old.`;
  return failureSentences('TradingView', failure, prices, state, now);
}

const staleText = ({ measuredLagMs }: FeedState, now: number): string | null =>
  measuredLagMs !== null && isUnchanged(measuredLagMs, now)
    ? `TradingView's newest trade is ${durationText(measuredLagMs)} old, much older than its usual delay.`
    : null;

const count = (stocks: number): string => formatNumber(stocks, 0);

const shortText = ({ shortList }: FeedState): string | null =>
  shortList &&
  `TradingView lists only ${count(shortList.listed)} of ${count(shortList.expected)} stocks. The others keep their last values.`;

/**
 * Unhealthy before the first answer, after a failure until the next success, while an answer is far too
 * short, and while the newest trade is far too old. Healthy with a problem while fields are missing.
 * @param now epoch ms
 */
export function healthOf(state: FeedState, now: number): SourceHealth {
  const { failure, lastSuccess, measuredLagMs } = state;
  const waiting = lastSuccess === null ? 'Waiting for the first answer from TradingView.' : null;
  const problem =
    failure === null
      ? (waiting ?? shortText(state) ?? staleText(state, now))
      : failureProblem(state, failure, now);
  const healthy = problem === null;
  const signInProblem = LOGIN_TEXTS[state.problems.login];
  return {
    healthy,
    problem: problem ?? feedProblemText(state.problems),
    lastSuccess,
    measuredLagMs,
    ...(signInProblem !== null && { signInProblem }),
  };
}

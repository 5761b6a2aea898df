import type { Circuit } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { isStandingStill } from '#market/rules/quoteLag.ts';
import type { MissingField, MissingFields } from '#sources/answerForm.ts';
import { durationText, failureSentences } from '#sources/pollHealth.ts';
import { formatNumber } from '#texts/format.ts';
import type { SourceHealth, SourceMemory } from '../source.ts';

/** How the platform takes the server's cookie. */
type LoginState =
  /** As it ever did, as far as is known. */
  | 'unchanged'
  /** With this cookie prices were live, and are not any more. */
  | 'lost'
  /** They were with the cookie before, and are not with this one. */
  | 'newNotTaken';

const LIVE_KEY = 'tradingview_live';

/** Tells a cookie from another; it says nothing of what stands in it. */
const markOf = (cookie: string): string =>
  new Bun.CryptoHasher('sha256').update(`tradingview cookie\n${cookie}`).digest('base64url').slice(0, 16);

/**
 * Follows whether prices are live with the cookie as they were before, in this run or an earlier one. Without a cookie it
 * forgets that they were: anyone who took it out wants delayed prices.
 *
 * @param cookie null where the server asks without one
 * @returns takes whether an answer's prices are live, and says what that means
 */
export function createLoginWatch(
  cookie: string | null,
  memory: SourceMemory,
  log: Log,
): (isLive: boolean) => LoginState {
  const mark = cookie === null ? null : markOf(cookie);
  /** The mark of the cookie with which prices were live last; null where they never were, or that is forgotten. */
  let live: string | null | undefined;

  function remember(next: string | null): void {
    live = next;
    try {
      memory.write(LIVE_KEY, next);
    } catch (error) {
      // It is said in this run all the same.
      log.warn('Whether prices are live could not be kept over a restart', { error });
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

/** A stock that is missing from this many answers in a row is delisted. */
const MISSED_ANSWERS = 3;
/** A list that shrank by more than a tenth is a fault of the platform rather than this many delistings in a day. */
const MIN_SHARE = 0.9;
/** So few may always go, for lists of a handful of stocks. */
const A_FEW = 5;
/** After so long the shorter list is believed; and so long a list must hold before a smaller one is measured by it. */
const BELIEVED_AFTER_MS = 60 * 60_000;

/** A list that is too short to be true: how many stocks it holds, and how many there were. */
type ShortList = { listed: number; expected: number };

/** The length of list that a run measured by last, for the next one. */
type KeptLength = {
  /** 0 for none. */
  read(): number;
  write(length: number): void;
};

const LISTED_KEY = 'tradingview_listed';
const MAX_LENGTH = 100_000;

/** Keeps it in a source's memory; where that can't be written it is known in this run all the same. */
export const keptLength = (memory: SourceMemory, log: Log): KeptLength => ({
  read() {
    const length = Number(memory.read(LISTED_KEY));
    return Number.isSafeInteger(length) && length > 0 && length <= MAX_LENGTH ? length : 0;
  },
  write(length) {
    try {
      memory.write(LISTED_KEY, String(length));
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

/** Fewer rows prove nothing: of a handful of listings any column may be empty. */
const MIN_ROWS = 20;
type Group = {
  /** What the columns give, in the words of the tables. */
  name: string;
  columns: readonly string[];
  /** Empty outside continuous trading, too, so it counts in it only. */
  isOfTrading?: true;
};

/** Of several columns any one is enough. */
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
/** What no table shows by itself. */
const UNSHOWN = new Set(['name', 'close', 'type', 'typespecs', 'Value.Traded', 'update_mode', 'time']);

/**
 * What an answer gives for no stock at all, in the words of the tables; indicators by the platform's own names.
 *
 * @param asked the columns that were asked for
 * @param filled how many rows hold something in each column
 * @param rows how many there are
 * @param isTrading whether continuous trading goes on
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
 * Whether an answer can tell that stocks lack something, as `missingOf` names it.
 * @param rows how many rows it has
 * @param isTrading whether continuous trading goes on
 */
export const isJudged = (name: string, rows: number, isTrading: boolean): boolean =>
  rows >= MIN_ROWS && (isTrading || !TRADING_NAMES.has(name));

/** What is wrong with answers that come. */
type Notices = {
  /** What no stock has, in the words of the tables. */
  missing: readonly string[];
  login: LoginState;
};

const NAMED = 4;
const LOGIN_TEXTS: Readonly<Record<LoginState, string | null>> = {
  unchanged: null,
  lost: 'Prices are delayed: TradingView no longer accepts this server’s sign-in. Renew its cookie.',
  newNotTaken: 'Prices are still delayed: the new cookie does not make them live, as the one before did.',
};

/** @returns a sentence for the trader; null when all is well */
export function noticeText({ missing, login }: Notices): string | null {
  const named = missing.slice(0, NAMED).join(', ');
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  const sentences = [
    LOGIN_TEXTS[login],
    missing.length > 0 && `TradingView is sending no ${named}${more} for any stock, so these stay empty.`,
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ') || null;
}

/**
 * Follows what answers lack, and says each change in the log.
 *
 * @param watchLogin takes whether prices are live
 * @param fields follows since when something is missing
 */
export function createNotices(log: Log, watchLogin: (isLive: boolean) => LoginState, fields: MissingFields) {
  let notices: Notices = { missing: [], login: 'unchanged' };

  return {
    /**
     * @param mode the update_mode that most rows carry
     * @param judged whether the answer can tell of a field; of all where it is left out
     */
    note(missing: readonly string[], mode: string | null, judged?: (name: string) => boolean): void {
      fields.note(missing, judged);
      const missingNow = fields.current().map(({ name }) => name);
      const next = { missing: missingNow, login: watchLogin(mode === 'streaming') };
      const before = noticeText(notices);
      notices = next;
      const text = noticeText(next);
      if (text !== before) {
        if (text === null) log.info('TradingView sends everything again');
        else log.warn(text);
      }
    },
    current: (): Notices => notices,
    fields: (): readonly MissingField[] => fields.current(),
  };
}

/** The state of the connection to TradingView. */
export type FeedState = {
  circuit: Circuit;
  /** Why the last attempt failed, completing "TradingView …"; null after a good one. */
  failure: string | null;
  lastSuccess: number | null;
  /** When the next attempt is due, epoch ms; null while one is under way. */
  nextAttempt: number | null;
  measuredLagMs: number | null;
  /** Set while the newest answer listed far fewer stocks than those before. */
  shortList: ShortList | null;
  /** What is wrong with the answers although they come. */
  notices: Notices;
};

function failureProblem(state: FeedState, failure: string, now: number): string {
  const { lastSuccess } = state;
  const prices =
    lastSuccess === null
      ? 'There are no prices yet.'
      : `The prices shown are ${durationText(now - lastSuccess)} old.`;
  return failureSentences('TradingView', failure, prices, state, now);
}

const staleText = ({ measuredLagMs }: FeedState, now: number): string | null =>
  measuredLagMs !== null && isStandingStill(measuredLagMs, now)
    ? `TradingView's newest trade is ${durationText(measuredLagMs)} old, much older than its usual delay.`
    : null;

const count = (stocks: number): string => formatNumber(stocks, 0);

const shortText = ({ shortList }: FeedState): string | null =>
  shortList &&
  `TradingView lists only ${count(shortList.listed)} of ${count(shortList.expected)} stocks. The others stay as they were last.`;

/**
 * The feed's health: unhealthy before the first answer, from a failed poll until the next good one, while an
 * answer lists far too few stocks, and while the newest trade of the whole market is far too old. Healthy, but with a
 * problem, while the answers lack something.
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
  const signInProblem = LOGIN_TEXTS[state.notices.login];
  return {
    healthy,
    problem: problem ?? noticeText(state.notices),
    lastSuccess,
    measuredLagMs,
    ...(signInProblem !== null && { signInProblem }),
  };
}

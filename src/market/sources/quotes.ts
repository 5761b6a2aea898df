import type { Clock } from '#lib/clock.ts';
import type { Refusal } from '#lib/result.ts';
import type { AuctionAnswer, AuctionPoint, DayEventsAnswer } from '#market/auctions/rules/auction.ts';
import type { DemandItem } from '#market/indicators/rules/indicatorKey.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { DailyBar, MinuteBar } from '#market/bars/rules/bars.ts';
import type { Stock, StockUpdate } from '#market/rules/stock.ts';
import type { OvernightFigure } from '#market/rules/overnight.ts';
import type { ReplayState } from '#market/rules/stream.ts';
import type { AnnouncementSource, MissingField } from './announcements.ts';
import type { CalendarSource } from './calendar.ts';

export type RefusedUpdate = { code: string } & Refusal;

export type QuoteFacts = {
  /** Time of the last quote, or when the Market received it, epoch ms. Null before the first. */
  quoteTime: number | null;
  newestStated: number | null;
  /** Whether the source states traded value and status itself. */
  hasOwnValue: boolean;
  hasOwnStatus: boolean;
};

export type MarketState = {
  stocks: readonly Stock[];
  /** By code. Without facts only a halted stock counts as having its own status. */
  facts: Readonly<Record<string, QuoteFacts>>;
};

export type MarketSink = {
  /** Merges the updates. An impossible value refuses its update, not the batch. Unknown codes are listed. */
  apply(updates: readonly StockUpdate[]): { applied: number; refused: RefusedUpdate[] };
  remove(codes: readonly string[]): void;
  /**
   * The market's clock jumped: replaces the Market's state and applies the updates of `play`. Listeners are
   * notified once afterwards and drop earlier state (`MarketObserver.jumped`, `Part.onJump`).
   */
  jump(state: MarketState, play: (sink: Omit<MarketSink, 'jump'>) => void): void;
};

export type SourceHealth = {
  healthy: boolean;
  /** A sentence for the trader, also for a healthy source that lacks something; null otherwise. */
  problem: string | null;
  lastSuccess: number | null;
  /** Measured age of the provider's quotes, ms; null if unknown. */
  measuredLagMs: number | null;
  /** Why the provider no longer accepts this server's sign-in, a sentence. */
  signInProblem?: string;
};

/** The wall clock, or a simulated day at some speed. */
export type MarketClock = Clock & { readonly speed: number };

export type ValuesInUse = {
  items(): readonly DemandItem[];
  catalog(): Catalog;
};

/** Indicator values that the provider sends with its prices. */
export type OwnValues = {
  has(item: DemandItem): boolean;
  serve(inUse: ValuesInUse): void;
};

/** A batch sent to the server, as far as the Market accepted it. */
export type ReceivedBatch = {
  applied: number;
  newestQuote: number | null;
};

export type ReplayControls = {
  state(): ReplayState;
  pause(isPaused: boolean): void;
  setSpeed(speed: number): void;
  /**
   * Moves the market to another moment, synchronously, limited to the recording.
   * @param time epoch ms
   * @throws Error if the recording can't be read there; the market then stays
   */
  jump(time: number): void;
};

/** A part of the simulated day. */
export type SkipTarget = 'pre-open' | 'open';

/** The interface of every market source. It declares differences, so that no code asks which source it is. */
export type MarketSource = {
  readonly name: string;
  /** 'Simulated', 'Delayed 20 min', 'Live'. May change as the source learns its delay. */
  label(): string;
  delayMinutes(): number;
  readonly clock: MarketClock;
  /**
   * 'consecutive': a day's previous close is the close of the day before. A jump between them means a split,
   * and the last price becomes the previous close at the next session. 'independent': each day is invented
   * again, and the previous close is unknown until stated.
   */
  readonly days: 'consecutive' | 'independent';
  /**
   * True for a source that sends only changes, so the last session is stored for a restart. Others state
   * every stock soon after their start.
   */
  readonly isPartial?: boolean;
  /** Past bars, if available; otherwise they are collected from updates and stored. */
  readonly history?: History;
  readonly hasMinutes: boolean;
  /** Absent if the provider sends no indicators: all are then computed here. */
  readonly ownValues?: OwnValues;
  readonly announcements?: AnnouncementSource;
  readonly calendar?: CalendarSource;
  /** Only for a replayed market. Its clock may stop and go back, and nothing continues after a restart. */
  readonly replay?: ReplayControls;
  /**
   * Its whole past sessions, which a worker makes, and the name under which they are stored.
   */
  readonly sessions?: { name: string; make: SessionMaking };
  /** Only for a simulated market: moves it forward. @returns false while it follows the exchange's hours */
  readonly skip?: (target: SkipTarget) => boolean;
  readonly received?: (batch: ReceivedBatch) => void;
  /** Figures of other markets, as far as known. It may also start loading newer ones. Absent if it has none. */
  readonly overnight?: () => readonly OvernightFigure[];
  readonly everyMs?: number;
  ignoreStatus(): boolean;
  start(sink: MarketSink): Promise<void>;
  /** Resolves when all stocks are listed or the source was stopped, if it lists stocks after `start`. */
  readonly loaded?: () => Promise<void>;
  stop(): Promise<void>;
  health(): SourceHealth;
  /** Fields missing for all stocks, the longest missing first; absent if not tracked. */
  readonly missing?: () => readonly MissingField[];
  readonly details?: () => unknown;
};

/** How a worker makes whole sessions: from the simulator's seed, a recording, or the parts that were recorded. */
export type SessionMaking =
  | { kind: 'simulated'; seed: number }
  | { kind: 'recordings'; recordings: string; sourceName: string }
  | { kind: 'recorded' };

declare module '#platform/app.ts' {
  interface App {
    source: MarketSource;
  }
}

/**
 * Past bars of a source; none for unknown stocks. The visited bar may be one reused object, because columns
 * are computed from millions. Visitors must not start another visit.
 */
export type History = {
  /**
   * True if any past day is available at any time, as in the simulator. Bars are then loaded on use and not
   * stored, and long timeframes reach further back.
   */
  readonly isDeep: boolean;
  readonly firstDate?: string;
  /** First known minute of a recording, epoch ms. Minutes of the market's date then end at the present. */
  readonly recordedFrom?: number;
  /** Visits up to `count` days with trades, up to and including `until`, oldest first. */
  eachDay(code: string, until: string, count: number, visit: (bar: DailyBar) => void): void;
  eachMinute(code: string, date: string, visit: (bar: MinuteBar) => void): void;
  /**
   * The running session's opening auction until now, oldest first; absent if the source sends only changes.
   */
  readonly opening?: (code: string) => readonly AuctionPoint[];
  /** Auctions and statuses of the running session, known for every moment, even after a jump. */
  readonly session?: KnownSession;
};

export type KnownSession = {
  of(
    code: string,
  ): Pick<DayEventsAnswer, 'statuses' | 'auctions'> & Pick<AuctionAnswer, 'columns' | 'thinned'>;
  isAtHand(): boolean;
  readOn(): void;
};

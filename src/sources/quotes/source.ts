import type { Clock } from '#lib/clock.ts';
import type { Refusal } from '#lib/result.ts';
import type { AuctionAnswer, AuctionPoint, DayEventsAnswer } from '#market/auctions/rules/auction.ts';
import type { DemandItem } from '#market/indicators/rules/indicatorKey.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { DailyBar, MinuteBar } from '#market/bars/rules/bars.ts';
import type { Stock, StockUpdate } from '#market/rules/stock.ts';
import type { ReplayState } from '#market/rules/stream.ts';
import type { AnnouncementSource } from '../announcements/source.ts';
import type { CalendarSource } from '../calendar/source.ts';
import type { MissingField } from '../answerForm.ts';

/** A refused update of a batch: its stock, the wrong field and a sentence saying why. */
export type RefusedUpdate = { code: string } & Refusal;

/** What the Market knows of a stock besides its record. */
export type QuoteFacts = {
  /** When the last quote was made, epoch ms; else when the Market took it. Null while nothing was applied. */
  quoteTime: number | null;
  /** The newest of the times that the provider stated, epoch ms; null while it stated none. */
  newestStated: number | null;
  /** Whether the source states the traded value and the status itself. */
  hasOwnValue: boolean;
  hasOwnStatus: boolean;
};

/** The whole Market at one moment. */
export type MarketState = {
  stocks: readonly Stock[];
  /** By code. Without those of a stock, only a halted one is taken to have a status that its source states. */
  facts: Readonly<Record<string, QuoteFacts>>;
};

/** Where a source puts its updates. A batch is applied in one synchronous step. */
export type MarketSink = {
  /** Merges the updates. An impossible value refuses its update, not the batch. Unknown codes are listed. */
  apply(updates: readonly StockUpdate[]): { applied: number; refused: RefusedUpdate[] };
  remove(codes: readonly string[]): void;
  /**
   * The market's clock was taken to another moment, back or ahead: the Market is in this state from now on, moved on by what
   * `play` applies to the sink that it is given. All that listens to the Market is told once, when that is done, and drops
   * what it remembers of what came before (`MarketObserver.jumped`, `Part.onJump`).
   */
  jump(state: MarketState, play: (sink: Omit<MarketSink, 'jump'>) => void): void;
};

export type SourceHealth = {
  /** Whether its prices can be relied on. */
  healthy: boolean;
  /** A sentence for the trader, also while it is healthy and lacks something; null while all is well. */
  problem: string | null;
  /** Epoch ms, wall clock, of the last good batch. */
  lastSuccess: number | null;
  /** Measured age of the provider's quotes, ms; null when it can't be measured. */
  measuredLagMs: number | null;
  /** A sentence saying that the provider takes this server's sign-in no longer; left out while it does, or there is none. */
  signInProblem?: string;
};

/** The market's own clock: the wall clock, or a simulated day at some speed. */
export type MarketClock = Clock & { readonly speed: number };

/** The indicator values in use at this moment, and the catalog that explains them. */
export type ValuesInUse = {
  /** The same array until it changes. */
  items(): readonly DemandItem[];
  /** The same object until it changes. */
  catalog(): Catalog;
};

/** Indicator values that the provider brings itself, with its prices. */
export type OwnValues = {
  /** Whether the provider brings this value; the others are computed here. */
  has(item: DemandItem): boolean;
  /** Tells the source where to look up what is in use; it looks before each request. */
  serve(inUse: ValuesInUse): void;
};

/** A batch that somebody sent to the server, as far as the Market took it. */
export type ReceivedBatch = {
  applied: number;
  /** Newest quoteTime in it, epoch ms; null when none was sent. */
  newestQuote: number | null;
};

/** What can be done with a market that is played from a recording. */
export type ReplayControls = {
  state(): ReplayState;
  pause(isPaused: boolean): void;
  /** @param speed above 0 */
  setSpeed(speed: number): void;
  /**
   * Takes the market to another moment; within the same call the Market is in the state of that moment. What lies outside of
   * the recording counts as its beginning or its end.
   * @param time epoch ms
   * @throws Error when the recording can't be read there; the market then stays where it was
   */
  jump(time: number): void;
};

/**
 * Everything that feeds the Market looks like this; swapping one for another changes nothing downstream. What differs
 * between sources is declared here, and nobody asks which source it is.
 */
export type MarketSource = {
  /** Shown and logged. */
  readonly name: string;
  /** 'Simulated', 'Delayed 20 min', 'Live'. May change as the source learns its delay. */
  label(): string;
  delayMinutes(): number;
  /** The market's clock while this source runs. */
  readonly clock: MarketClock;
  /**
   * 'consecutive' when a day's previous close is the close of the day before, so that a jump between the two means a
   * split or a consolidation, and the last price becomes the previous close when a session begins; 'independent' when
   * each day is made up again: then the previous close is unknown until the source states it.
   */
  readonly days: 'consecutive' | 'independent';
  /**
   * True for a source that sends only what is new: what it sent before a restart does not come again, so the last session
   * is kept for it. Others state every stock by themselves soon after their start.
   */
  readonly isPartial?: boolean;
  /** Past bars, where the source can give them; otherwise they are collected from what it sends and kept. */
  readonly history?: History;
  /** Whether its quotes are fresh and frequent enough to make minute bars of. */
  readonly hasMinutes: boolean;
  /** Absent when the provider brings no indicators: then all are computed here. */
  readonly ownValues?: OwnValues;
  /** The announcements of a market that is made up, where they belong to its own days. */
  readonly announcements?: AnnouncementSource;
  /** The economic calendar of a market that is played again. */
  readonly calendar?: CalendarSource;
  /**
   * For a market that is played from a recording. Its clock may stand still and step back, and nothing of it goes on from one
   * run of the server to the next.
   */
  readonly replay?: ReplayControls;
  /** For a source that waits to be sent updates: called after each batch that the ingest route applied. */
  readonly received?: (batch: ReceivedBatch) => void;
  /** How often it asks for prices, ms; absent for one that is sent them, several times a minute. */
  readonly everyMs?: number;
  /** True when scanners must not filter by status (a simulated market outside hours). */
  ignoreStatus(): boolean;
  start(sink: MarketSink): Promise<void>;
  /** For a source that goes on stating its listings after `start`: resolves when all are in, or it was stopped. */
  readonly loaded?: () => Promise<void>;
  stop(): Promise<void>;
  health(): SourceHealth;
  /** What it sends for no stock any more, the longest first; absent where nobody follows that. */
  readonly missing?: () => readonly MissingField[];
  /** What only this source can tell of itself, for anyone who looks into the running server; no secrets. */
  readonly details?: () => unknown;
};

/** Single values that a source remembers over a restart, under a key. */
export type SourceMemory = {
  /** Null when nothing is kept. */
  read(key: string): unknown;
  write(key: string, value: string | null): void;
};

/** Of a source that runs without a database, which remembers nothing. */
export const NO_MEMORY: SourceMemory = { read: () => null, write: () => undefined };

declare module '#platform/app.ts' {
  interface App {
    source: MarketSource;
  }
}

/**
 * The past bars of a source. Of a stock that it does not have there are none. Bars are visited one by one: the bar may be one
 * object that changes after the visit, as columns are computed from millions; the visitor asks for no others meanwhile.
 */
export type History = {
  /**
   * True when any past day can be supplied at any time, as the simulator can. Then bars are loaded only when they are
   * used, nothing is kept over a restart, and long timeframes reach further back than the kept bars.
   */
  readonly isDeep: boolean;
  /** The first date of which it knows anything, YYYY-MM-DD; absent for one that reaches back without end. */
  readonly firstDate?: string;
  /**
   * Of a recording: the moment from which it knows minutes, epoch ms. Of the market's date it gives those until now then, the
   * one under way included, where others give the whole date.
   */
  readonly recordedFrom?: number;
  /** Calls `visit` with the days up to and including `until` that had trades, oldest first, at most `count`. */
  eachDay(code: string, until: string, count: number, visit: (bar: DailyBar) => void): void;
  /** Calls `visit` with the minutes of a date, oldest first. */
  eachMinute(code: string, date: string, visit: (bar: MinuteBar) => void): void;
  /**
   * How the running session's opening auction formed until now, oldest first; absent where the source tells it only as it
   * happens.
   */
  readonly opening?: (code: string) => readonly AuctionPoint[];
  /** The running session's auctions and statuses, where the source knows them for every moment, also after a jump. */
  readonly session?: KnownSession;
};

export type KnownSession = {
  /** How a stock's session went until now: its opening auction as it formed, its statuses and its auctions. */
  of(
    code: string,
  ): Pick<DayEventsAnswer, 'statuses' | 'auctions'> & Pick<AuctionAnswer, 'columns' | 'thinned'>;
  /** Whether `of` answers at once at this moment; else it reads on first. */
  isAtHand(): boolean;
  /** Reads a little of what is not at hand, some milliseconds' work. */
  readOn(): void;
};

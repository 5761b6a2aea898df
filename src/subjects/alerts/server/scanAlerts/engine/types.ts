import type { Limits, MessageLimits } from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import type { Comparison, Span } from '#subjects/alerts/rules/program.ts';
import type { SeenCondition } from '#subjects/alerts/rules/trigger.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { ScanFilters } from '#market/scanners/rules/filters.ts';
import type { ScanTraits } from '#subjects/alerts/rules/scanAlerts/membership.ts';
import type { Announced, ScanAlert, ScanTrigger } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { ScanEvent } from '#subjects/alerts/answers/options.ts';
import type { WatchedScanner } from '#subjects/alerts/answers/scanAlert.ts';
import type { Destination } from '#subjects/alerts/rules/recipient.ts';

export type Watch = {
  readonly slot: number;
  /** Hash of the conditions. A stored state with another hash is not valid. */
  readonly hash: number;
  readonly key: string;
  readonly span: Span;
  readonly traits: ScanTraits;
  readonly comparisons: readonly Comparison[];
  readonly crossings: readonly { row: number; comparison: Comparison }[];
  readonly scanner: WatchedScanner | null;
  /** Filters in addition to a saved scan; they are its last condition. */
  readonly filters: ScanFilters | null;
  readonly entries: Readonly<Record<ScanEvent, Entry[]>>;
};

export type Entry = {
  alert: ScanAlert;
  scanLabel: string;
  /** The stock must be on at least one list of each member. */
  lists: readonly (readonly ScanLists[])[];
  /** Null for an alert on announcements. */
  watch: Watch | null;
  readonly limits: MessageLimits;
  /** The alert's own limits, as they apply to what it watches. */
  rules: Limits;
  readonly mutes: Set<string>;
  /** Stocks beyond this minute's messages; null if there are none. */
  sum: Sum | null;
  /** True if the alert was removed or switched off; objects that still refer to it must ignore it. */
  isGone: boolean;
};

/** A stock that entered or left a scan, or an announcement. */
export type Move = {
  entries: readonly Entry[];
  event: ScanEvent;
  code: string;
  /** Null if the stock is not listed. */
  stock: Stock | null;
  seen: readonly SeenCondition[];
  announced: Announced | null;
};

export type Firing = Omit<ScanTrigger, 'id' | 'symbols'> & { session: string; scanHash: number };

export type Single = { entry: Entry; firing: Firing & { symbol: string }; stock: Stock | null };

/** Stocks that share one message at the end of the minute. */
export type Sum = {
  entry: Entry;
  /** Id of its row on disk; null before it is written. */
  rowId: number | null;
  firing: Firing;
  symbols: Set<string>;
};

export type ScanEngineMessage = Destination & {
  userId: number;
  mayWait: boolean;
  message: ChatMessage;
  triggerId: null;
  scanTriggerId: number;
};

/** A trigger on disk with its messages, and the stock at that time; null for a summary. */
export type Written = { trigger: ScanTrigger; alert: ScanAlert; stock: Stock | null };

import type { ToldLimits } from '#subjects/alerts/rules/scanAlerts/scanAlertRules.ts';
import type { Comparison, Span } from '#subjects/alerts/rules/program.ts';
import type { SeenCondition } from '#subjects/alerts/rules/trigger.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { ScanFilters } from '#market/scanners/rules/filters.ts';
import type { ScanTraits } from '#subjects/alerts/rules/scanAlerts/membership.ts';
import type { ScanAlert, ScanTrigger } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { ScanEvent } from '#subjects/alerts/answers/options.ts';
import type { WatchedScanner } from '#subjects/alerts/answers/scanAlert.ts';
import type { Destination } from '#subjects/alerts/rules/recipient.ts';

/** What alerts ask of one scan, once however many ask the same. */
export type Watch = {
  /** Its small number in the index. */
  readonly slot: number;
  /** Of what it asks; what is remembered belongs to it. */
  readonly hash: number;
  readonly key: string;
  readonly span: Span;
  readonly traits: ScanTraits;
  readonly comparisons: readonly Comparison[];
  /** The rows of its crossings in the program, and what each compares. */
  readonly crossings: readonly { row: number; comparison: Comparison }[];
  /** The scanner that it is; null for a saved scan. */
  readonly scanner: WatchedScanner | null;
  /** Those above a saved scan: the last of its conditions. */
  readonly filters: ScanFilters | null;
  readonly entries: Readonly<Record<ScanEvent, Entry[]>>;
};

/** What the engine keeps of an alert in memory. */
export type Entry = {
  alert: ScanAlert;
  scanLabel: string;
  /** Whose stocks its scan looks at: those that each of these has by any of its lists. */
  lists: readonly (readonly ScanLists[])[];
  watch: Watch;
  readonly limits: ToldLimits;
  /** Stocks that are not to be told in this session. */
  readonly mutes: Set<string>;
  /** What is beyond this minute's messages; null while nothing is. */
  sum: Sum | null;
  /** It was removed or switched off: who still holds it leaves it alone. */
  isGone: boolean;
};

/** A stock entered or left a scan. */
export type Move = {
  watch: Watch;
  event: ScanEvent;
  stock: Stock;
  seen: readonly SeenCondition[];
};

/** What a trigger is before it is written; its alert is the entry's. */
export type Firing = Omit<ScanTrigger, 'id' | 'symbols'> & { session: string; scanHash: number };

/** A stock with a message of its own, until it is on disk. */
export type Single = { entry: Entry; firing: Firing & { symbol: string }; stock: Stock };

/** Stocks that are told in one message once the minute is over. */
export type Sum = {
  entry: Entry;
  /** Of the row that it has on disk; null before it has one. */
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

/** A trigger that is on disk with its messages, and the stock as it was; null for a sum. */
export type Written = { trigger: ScanTrigger; alert: ScanAlert; stock: Stock | null };

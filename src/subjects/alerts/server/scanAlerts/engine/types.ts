import type { FiringGuard } from '../../../rules/scanAlerts/firingGuard.ts';

import type { Comparison } from '../../../rules/comparison.ts';
import type { Span } from '../../../rules/program.ts';
import type { SeenCondition } from '../../../rules/trigger.ts';
import type { ChatMessage } from '../../../../chats/rules/chatMessage.ts';
import type { ChatPlatform } from '../../../../chats/rules/chatPlatform.ts';
import type { ScansOf } from '../../../../conditions/rules/savedScan.ts';
import type { Catalog } from '../../../../../market/indicators/rules/types.ts';
import type { Stock } from '../../../../../market/rules/stock.ts';
import type { ScanTraits } from '../../../rules/scanAlerts/membership.ts';
import type { ScanAlert, ScanEvent, SharedScanner } from '../../../rules/scanAlerts/scanAlert.ts';
import type { ScanMessageContext } from '../../../rules/scanAlerts/scanAlertMessage.ts';
import type { ScanTrigger } from '../../../rules/scanAlerts/scanTrigger.ts';
import type { LongList } from '../../../../../lib/inspection.ts';
import type { ChangeSet, Market } from '../../../../../market/types.ts';
import type { Core } from '../../../../../part.ts';

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
  readonly scanner: SharedScanner | null;
  readonly entries: Readonly<Record<ScanEvent, Entry[]>>;
};

/** What the engine keeps of an alert in memory. */
export type Entry = {
  alert: ScanAlert;
  scanLabel: string;
  watch: Watch;
  readonly guard: FiringGuard;
  /** Stocks that are not to be told in this session. */
  readonly mutes: Set<string>;
  /** What is beyond this minute's messages; null while nothing is. */
  sum: Sum | null;
  /** It was removed or switched off: whoever still holds it leaves it alone. */
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
  symbols: string[];
};

/** A chat of a user that is confirmed and not broken. */
export type Destination = { platform: ChatPlatform; chatId: string };

export type ScanEngineMessage = Destination & {
  userId: number;
  message: ChatMessage;
  triggerId: null;
  scanTriggerId: number;
};

export type ScanEngineCore = Pick<Core, 'db' | 'clock' | 'log'> & {
  source: Pick<Core['source'], 'name' | 'label' | 'days' | 'delayMinutes' | 'clock' | 'health' | 'replay'>;
};

/** A trigger that is on disk with its messages, and the stock as it was; null for a sum. */
export type Written = { trigger: ScanTrigger; alert: ScanAlert; stock: Stock | null };

export type ScanEngineNeeds = {
  market: Pick<Market, 'get' | 'all' | 'date' | 'statedQuoteTime'>;
  /** The chats that a user's alerts go to, of every platform. */
  destinations(userId: number): readonly Destination[];
  /** `add` is called within the engine's own transaction, `wake` after its commit. */
  outbox: { add(messages: readonly ScanEngineMessage[]): void; wake(): void };
  messageOf(written: Written, context: Pick<ScanMessageContext, 'label'>): ChatMessage;
  catalog(): Pick<Catalog, 'indicators'>;
  scansOf: ScansOf;
  /** The symbols on a user's watchlist. */
  watched(userId: number): readonly string[];
  /** Called after the transaction of these. */
  told(written: readonly Written[]): void;
};

export type ScanEngine = {
  /**
   * Takes an alert as it is stored now, new or changed, or after its saved scan was; to be called after the commit. What
   * stands in a scan that nobody watched before is no entering. An alert that is off is forgotten.
   */
  put(alert: ScanAlert): void;
  /** Forgets an alert that was deleted. */
  remove(id: number): void;
  /** The stocks that an alert is not to tell in this session are others. */
  muted(id: number, symbols: readonly string[]): void;
  /** A user's watchlist is another one. */
  listChanged(userId: number): void;
  /** One tick; to be called with every change set. */
  onChanges(changes: ChangeSet | null): void;
  /** The market was taken to another moment: what holds there has not begun to. */
  jump(): void;
  /** Takes up all active alerts and what an earlier run remembered. */
  resume(): void;
  /** Writes whatever is not on disk yet. */
  flush(): void;
  /** How many stocks stand in the scan of an alert; null when it is not watched. */
  inScan(id: number): number | null;
  counts(): { alerts: number; scans: number; waiting: number };
  /** What is known of each alert, for whoever looks into the running server. */
  held(): LongList;
};

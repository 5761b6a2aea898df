import type { AccountState } from '#subjects/accounts/rules/accountRules.ts';
import type { ReadQueue } from '#platform/http/readQueue.ts';
import type { Delivery, SentTo, TriggerKind } from '#platform/outbox/rules/delivery.ts';
import type { ChannelTap } from '#platform/sse/tap.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import type { Adjustments } from '#market/splits.ts';
import type { Market } from '#market/types.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { Indicators } from '#subjects/indicators/server/service.ts';
import type { GuardingEvent } from '../rules/eventGuard.ts';
import type { Destination, Places } from '../rules/recipient.ts';
import type { EngineMessage } from './engine/types.ts';
import type { Watchlist } from './watchlist/service.ts';

/** What alerts are made of besides the core: the services of other parts. */
export type AlertsNeeds = {
  market: Market;
  adjustments: Adjustments;
  indicators: Indicators;
  watchlist: Watchlist;
  /** `add` is called within the caller's own transaction, `wake` after its commit. */
  outbox: {
    add(messages: readonly EngineMessage[]): void;
    wake(): void;
    /** What became of the messages of triggers, by the trigger's id; a trigger without messages has no entry. */
    deliveryOf(triggerIds: readonly number[]): ReadonlyMap<number, Delivery>;
    /** The same by platform. */
    sentOf(kind: TriggerKind, triggerIds: readonly number[]): ReadonlyMap<number, SentTo[]>;
  };
  /** The chats and devices of a user that messages can be delivered to. */
  chatsOf(userId: number): readonly Destination[];
  /** The chats and devices of a user, working or not. */
  placesOf(userId: number): Places;
  /**
   * Puts the announcements on the disk that the stocks show and that wait to be written; called before each transaction, as
   * an alert may have looked at them.
   */
  noteNews(): void;
  /** The events of HIGH impact within five minutes of now, by the clock of the calendar. */
  events: { guarding(): readonly GuardingEvent[]; now(): number };
  /** What backtests run over, and the queue of long reads. */
  past: PastBars;
  reads: Pick<ReadQueue, 'run'>;
  /** A user's account as it stands; null when it is gone. */
  accountOf(userId: number): AccountState | null;
  /** How often the stream pings; for tests. */
  streamPingMs?: number | undefined;
  /** Hears what the stream tells, for windows elsewhere. */
  streamTap?: ChannelTap | undefined;
  /** Streams of alerts that others have open: see `SseChannelDeps`. */
  streamsElsewhere?: ((address: string | null) => number) | undefined;
  schedule?: Scheduler | undefined;
};

import type { Delivery, SentTo } from '#platform/outbox/rules/delivery.ts';
import type { Places } from '../rules/recipient.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Market } from '#market/types.ts';
import type { Indicators } from '#subjects/indicators/server/service.ts';
import type { Watchlist } from './watchlist/service.ts';
import type { AlertEngine } from './engine/engine.ts';
import type { AlertStore } from './store.ts';

/** What the use cases of alerts work with. */
export type AlertsDeps = {
  store: AlertStore;
  clock: SystemClock;
  market: Pick<Market, 'all'>;
  indicators: Pick<
    Indicators,
    | 'catalog'
    | 'refuseTooMany'
    | 'counting'
    | 'alertsChanged'
    | 'hasAlertValues'
    | 'scansOf'
    | 'listenToScans'
    | 'alertShortage'
  >;
  watchlist: Pick<Watchlist, 'put' | 'told'>;
  engine: Pick<
    AlertEngine,
    'put' | 'putWithScan' | 'remove' | 'evaluation' | 'applyDeferred' | 'isArming' | 'preview'
  >;
  /** The chats and devices of a user, working or not. */
  placesOf(userId: number): Places;
  /** The market's clock, epoch ms. */
  marketNow(): number;
  /** What became of the messages of triggers, by the trigger's id; a trigger without messages has no entry. */
  deliveryOf(triggerIds: readonly number[]): ReadonlyMap<number, Delivery>;
  /** The same by platform. */
  sentOf(kind: 'alert', triggerIds: readonly number[]): ReadonlyMap<number, SentTo[]>;
  /** An alert of the user was added, changed or removed. */
  changed(userId: number, alertId: number, symbol: string): void;
};

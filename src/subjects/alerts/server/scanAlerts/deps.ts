import type { AccessLevel } from '../../../accounts/rules/accountRules.ts';
import type { SentTo } from '../../rules/alertView.ts';
import type { SystemClock } from '../../../../lib/clock.ts';
import type { Market } from '../../../../market/types.ts';
import type { Indicators } from '../../../indicators/server/service.ts';
import type { ScanEngine } from './engine/types.ts';
import type { ScanAlertStore } from './store.ts';

/** What the use cases of scan alerts work with. */
export type ScanAlertsDeps = {
  store: ScanAlertStore;
  clock: SystemClock;
  market: Pick<Market, 'get' | 'date'>;
  indicators: Pick<Indicators, 'alertsChanged' | 'scansOf' | 'alertShortage'>;
  engine: Pick<ScanEngine, 'put' | 'remove' | 'muted' | 'inScan'>;
  /** What became of the messages of triggers by platform; a trigger without messages has no entry. */
  sentOf(kind: 'scan', triggerIds: readonly number[]): ReadonlyMap<number, SentTo[]>;
  /** What the user's plan gives. */
  levelOf(userId: number): AccessLevel;
  /** A scan alert of the user was added, changed or removed. */
  changed(userId: number, id: number): void;
};

import { WAITS_FOR_VALUE } from '../../alerts/rules/alertState.ts';
import { type DemandItem, demandItemId } from '../../../market/indicators/rules/demandItem.ts';
import { indicatorLabel } from '../../../market/indicators/rules/indicatorLabel.ts';
import type { Catalog } from '../../../market/indicators/rules/types.ts';
import {
  type WaitingColumn,
  type WaitingReason,
  waitingText,
} from '../../../market/indicators/rules/valueLimits.ts';
import type { ColumnEntry } from '../../scanners/rules/columnEntry.ts';
import type { Demand } from '../../../market/indicators/demand.ts';
import { demandOfAlerts, demandOfColumn } from './demandOf.ts';
import type { IndicatorStore } from './store.ts';
import type { UseLimits } from './limits.ts';
import type { ScanOf } from '../../conditions/rules/savedScan.ts';

/** What is said of a value that is not served. */
type Named = { item: DemandItem; why: WaitingReason };

export type WaitingDeps = {
  store: Pick<IndicatorStore, 'activeAlerts'>;
  catalog: () => Catalog;
  demand: Pick<Demand, 'waiting'>;
  limits: Pick<UseLimits, 'valueUse'>;
  scansOf: (userId: number) => ScanOf;
  ownerOf: Readonly<Record<'columns' | 'alerts', (userId: number) => string>>;
};

/** How an item is called: 'RSI 14 (1 h)'. */
function nameOf(item: DemandItem, catalog: Catalog): string {
  if (item.kind === 'htf') return `${item.choice.period} candle`;
  const { family, ...choice } = item.choice;
  const known = catalog.indicators[family];
  return known ? indicatorLabel(known, choice) : item.key;
}

/** Tells which of a user's columns and alerts wait for a value that is not served. */
export function createWaiting({ store, catalog, demand, limits, scansOf, ownerOf }: WaitingDeps) {
  const among = (items: readonly DemandItem[], waiting: ReadonlyMap<string, WaitingReason>): Named[] =>
    items.flatMap((item) => {
      const why = waiting.get(demandItemId(item));
      return why === undefined ? [] : [{ item, why }];
    });

  function sentence(named: readonly Named[], userId: number): string | null {
    const [first] = named;
    if (!first) return null;
    const names = [...new Set(named.map(({ item }) => nameOf(item, catalog())))];
    const shown =
      names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
    const reason = waitingText(first.why, limits.valueUse(userId).limit);
    return `${shown} ${names.length === 1 ? 'is waiting' : 'are waiting'} for a value. ${reason}`;
  }

  function alertWaiting(userId: number, alert: { logic: unknown }): Named[] {
    const waiting = demand.waiting(ownerOf.alerts(userId));
    if (waiting.size === 0) return [];
    return among(demandOfAlerts([alert], scansOf(userId), catalog()), waiting);
  }

  return {
    /** The columns of a layout that show nothing, with a sentence for each. */
    waitingColumns(userId: number, columns: readonly ColumnEntry[]): WaitingColumn[] {
      const waiting = demand.waiting(ownerOf.columns(userId));
      if (waiting.size === 0) return [];
      const { limit } = limits.valueUse(userId);
      return columns.flatMap((column) => {
        const [first] = among(demandOfColumn(column), waiting);
        const { id, label } = column;
        return first ? [{ id, label, reason: waitingText(first.why, limit) }] : [];
      });
    },
    /** Why an active alert is not evaluated; null when nothing that it reads waits. */
    alertShortage(userId: number, alert: { logic: unknown }): string | null {
      const said = sentence(alertWaiting(userId, alert), userId);
      return said === null ? null : `${WAITS_FOR_VALUE}${said}`;
    },
    /** The active alerts of a user that are not evaluated for want of values; those on whole scans have negative ids. */
    alertsWaiting(userId: number): number[] {
      if (demand.waiting(ownerOf.alerts(userId)).size === 0) return [];
      return store
        .activeAlerts(userId)
        .filter((alert) => alertWaiting(userId, alert).length > 0)
        .map(({ id }) => id);
    },
  };
}

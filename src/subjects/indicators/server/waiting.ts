import { WAITS_FOR_VALUE } from '#subjects/alerts/rules/alertState.ts';
import { type DemandItem, demandItemId } from '#market/indicators/rules/demandItem.ts';
import { indicatorLabel } from '#market/indicators/rules/indicatorLabel.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { type WaitingColumn, type WaitingReason, waitingText } from '#market/indicators/rules/valueLimits.ts';
import type { ColumnEntry } from '#subjects/scanners/rules/columnEntry.ts';
import type { Demand } from '#market/indicators/demand.ts';
import { demandOfAlerts, demandOfColumn } from './demandOf.ts';
import type { IndicatorStore } from './store.ts';
import type { UseLimits } from './limits.ts';
import type { ScanOf } from '#subjects/conditions/rules/savedScan.ts';

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

function among(items: readonly DemandItem[], waiting: ReadonlyMap<string, WaitingReason>): Named[] {
  return items.flatMap((item) => {
    const why = waiting.get(demandItemId(item));
    return why === undefined ? [] : [{ item, why }];
  });
}

/** What an active alert reads and is not served. */
function ofAlert(deps: WaitingDeps, userId: number, alert: { logic: unknown }): Named[] {
  const { demand, ownerOf, scansOf, catalog } = deps;
  const waiting = demand.waiting(ownerOf.alerts(userId));
  if (waiting.size === 0) return [];
  return among(demandOfAlerts([alert], scansOf(userId), catalog()), waiting);
}

/** Why an active alert is not evaluated; null when nothing that it reads waits. */
function shortageOf(deps: WaitingDeps, userId: number, alert: { logic: unknown }): string | null {
  const named = ofAlert(deps, userId, alert);
  const [first] = named;
  if (!first) return null;
  const catalog = deps.catalog();
  const names = [...new Set(named.map(({ item }) => nameOf(item, catalog)))];
  const shown =
    names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
  const reason = waitingText(first.why, deps.limits.valueUse(userId).limit);
  return `${WAITS_FOR_VALUE}${shown} ${names.length === 1 ? 'is waiting' : 'are waiting'} for a value. ${reason}`;
}

/** Tells which of a user's columns and alerts wait for a value that is not served. */
export function createWaiting(deps: WaitingDeps) {
  const { store, demand, limits, ownerOf } = deps;
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

    alertShortage: (userId: number, alert: { logic: unknown }) => shortageOf(deps, userId, alert),

    /** The active alerts of a user that are not evaluated for want of values; those on whole scans have negative ids. */
    alertsWaiting(userId: number): number[] {
      if (demand.waiting(ownerOf.alerts(userId)).size === 0) return [];
      return store
        .activeAlerts(userId)
        .filter((alert) => ofAlert(deps, userId, alert).length > 0)
        .map(({ id }) => id);
    },
  };
}

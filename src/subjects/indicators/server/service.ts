import {
  valueLimitOf,
  type WaitingColumn,
  type WaitingReason,
  waitingText,
  WAITS_FOR_VALUE,
} from '#market/indicators/rules/valueLimits.ts';
import type { App } from '#platform/app.ts';
import type { Demand, DemandEntry, Status } from '#market/indicators/demand.ts';
import type { CatalogKeeper } from './catalog.ts';
import {
  demandOf,
  demandOfAlerts,
  demandOfColumn,
  createUseLimits,
  MAX_SELECTED,
  readSaved,
} from './valueUse.ts';
import { createScans, type IndicatorTools } from './scans.ts';
import { indicatorKinds } from './transfer.ts';
import type { IndicatorStore } from './store.ts';
import type { ScanOf } from '#subjects/conditions/rules/savedScan.ts';
import { checkRef, operandText, type Ref } from '#subjects/conditions/rules/operand.ts';
import { within } from '#lib/result.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { type DemandItem, demandItemId, indicatorLabel } from '#market/indicators/rules/indicatorKey.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { ColumnEntry } from '#market/scanners/rules/columnList.ts';

type Named = { item: DemandItem; why: WaitingReason };

type ScansOf = (userId: number) => ScanOf;

const columnsOwner = (userId: number): string => `user:${userId}`;
const alertsOwner = (userId: number): string => `alerts:${userId}`;

/** Name of a value, for example 'RSI 14 (1 h)'. */
function nameOf(item: DemandItem, catalog: Catalog): string {
  if (item.kind === 'htf') return operandText({ type: 'htf', ...item.choice }, catalog);
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

/** Values that an active alert reads and does not get. */
function ofAlert(
  { demand, catalog }: IndicatorTools,
  scansOf: ScansOf,
  userId: number,
  alert: { logic: unknown },
): Named[] {
  const waiting = demand.waiting(alertsOwner(userId));
  if (waiting.size === 0) return [];
  return among(demandOfAlerts([alert], scansOf(userId), catalog.current()), waiting);
}

/** Why an active alert is not evaluated; null if it has its values. */
function shortageOf(
  tools: IndicatorTools,
  scansOf: ScansOf,
  userId: number,
  alert: { logic: unknown },
): string | null {
  const named = ofAlert(tools, scansOf, userId, alert);
  const [first] = named;
  if (!first) return null;
  const names = [...new Set(named.map(({ item }) => nameOf(item, tools.catalog.current())))];
  const shown =
    names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
  const reason = waitingText(first.why, tools.limits.valueUse(userId).limit);
  return `${WAITS_FOR_VALUE}${shown} ${names.length === 1 ? 'is waiting' : 'are waiting'} for a value. ${reason}`;
}

function createWaiting(tools: IndicatorTools, scansOf: ScansOf) {
  const { demand, limits } = tools;
  return {
    /** Columns that wait for values, with a sentence on each. */
    waitingColumns(userId: number, columns: readonly ColumnEntry[]): WaitingColumn[] {
      const waiting = demand.waiting(columnsOwner(userId));
      if (waiting.size === 0) return [];
      const { limit } = limits.valueUse(userId);
      return columns.flatMap((column) => {
        const [first] = among(demandOfColumn(column), waiting);
        const { id, label } = column;
        return first ? [{ id, label, reason: waitingText(first.why, limit) }] : [];
      });
    },

    alertShortage: (userId: number, alert: { logic: unknown }) => shortageOf(tools, scansOf, userId, alert),

    alertsWait: (userId: number): boolean => demand.waiting(alertsOwner(userId)).size > 0,
  };
}

/** The indicators selected for the custom scanner, which the API calls `refs`. */
function createSelection({ store, catalog, limits, userChanged }: IndicatorTools) {
  return {
    /** The selected indicators, without deleted ones. */
    refs(userId: number): Ref[] {
      const saved = store.refs(userId);
      if (!Array.isArray(saved)) return [];
      return (saved as unknown[]).flatMap((ref) => {
        const checked = checkRef(catalog.current(), ref);
        return checked.ok ? [checked.value] : [];
      });
    },

    /** Saves a selection. @throws AppError 400 with the unknown or surplus one, 429; then nothing is saved */
    saveRefs(userId: number, sent: readonly unknown[]): Ref[] {
      limits.countWrite(userId);
      if (sent.length > MAX_SELECTED) {
        throw new AppError(400, {
          field: 'refs',
          message: `You can choose at most ${MAX_SELECTED} indicators.`,
        });
      }
      const current = catalog.current();
      const refs = sent.map((ref, index) => accepted(within(`refs[${index}]`, checkRef(current, ref))));
      limits.refuseTooMany(userId, 'refs', () => ({ refs }));
      store.saveRefs(userId, refs);
      userChanged(userId);
      return refs;
    },
  };
}

/** Undefined for a deleted account. */
function statusOf(store: IndicatorStore, userId: number, use: Status['use']): Status | undefined {
  const account = store.account(userId);
  if (!account) return undefined;
  const { subscriptionType, isAdmin, createdAt: since } = account;
  const plan = isAdmin ? 'premium' : subscriptionType;
  return {
    user: String(userId),
    use,
    plan,
    since,
    limit: valueLimitOf(account),
  };
}

const columnsEntry = (store: IndicatorStore, catalog: CatalogKeeper, userId: number): DemandEntry => [
  columnsOwner(userId),
  demandOf(readSaved(store, userId), catalog.current()),
  statusOf(store, userId, 'columns'),
];

/** Registers the values of each user, with alerts as a separate owner that long tables do not displace. */
function createUsersDemand({ store, catalog, demand }: IndicatorTools, scansOf: ScansOf) {
  const alertsEntry = (userId: number): DemandEntry => [
    alertsOwner(userId),
    demandOfAlerts(store.activeAlerts(userId), scansOf(userId), catalog.current()),
    statusOf(store, userId, 'alerts'),
  ];
  const everythingOf = (userIds: readonly number[]): void =>
    demand.setAll(userIds.flatMap((id) => [columnsEntry(store, catalog, id), alertsEntry(id)]));
  return {
    alertsChanged: (userIds: readonly number[]): void => demand.setAll(userIds.map(alertsEntry)),
    /** Call it after a user's plan or rights changed, because they decide who is served first. */
    planChanged: (userId: number): void => everythingOf([userId]),
    loadDemand: (): void => everythingOf(store.userIds()),
  };
}

export function createIndicatorsService(
  app: App,
  store: IndicatorStore,
  catalog: CatalogKeeper,
  demand: Demand,
) {
  const limits = createUseLimits(app, store, catalog);
  const userChanged = (userId: number): void => demand.setAll([columnsEntry(store, catalog, userId)]);
  const tools: IndicatorTools = {
    app,
    store,
    catalog,
    demand,
    limits,
    userChanged,
  };
  const scans = createScans(tools);
  const users = createUsersDemand(tools, scans.scansOf);
  catalog.listen(users.loadDemand);
  return {
    catalog,
    demand,
    ...createSelection(tools),
    ...scans,
    ...limits,
    ...users,
    ...createWaiting(tools, scans.scansOf),
    transfer: indicatorKinds(tools),
    userChanged,
    /** Called before a user's account is deleted. @returns the work for after the deletion */
    leaving: (userId: number) => (): void => {
      userChanged(userId);
      users.alertsChanged([userId]);
    },
    hasAlertValues: (userId: number): boolean => demand.isOwner(alertsOwner(userId)),
  };
}

export type Indicators = ReturnType<typeof createIndicatorsService>;

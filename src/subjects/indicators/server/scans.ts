import { nameKey } from '#lib/text.ts';
import { checkLogic } from '#subjects/conditions/rules/checkLogic.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import {
  checkScanName,
  type ListedScan,
  type ScanOf,
  type ScanView,
} from '#subjects/conditions/rules/savedScan.ts';
import {
  checkScanLists,
  listProblem,
  type NamedList,
  readScanLists,
  withListName,
} from '#subjects/conditions/rules/scanLists.ts';
import { within } from '#lib/result.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { Demand } from '#market/indicators/demand.ts';
import type { App } from '#platform/app.ts';
import type { CatalogKeeper } from './catalog.ts';
import type { UseLimits } from './valueUse.ts';
import type { IndicatorStore, ScanRow } from './store.ts';

export const MAX_SCANS = 50;

export type SentScan = {
  name: string;
  logic?: unknown;
  /** Omit to keep the lists. */
  lists?: unknown;
};

export type IndicatorTools = {
  app: App;
  store: IndicatorStore;
  catalog: CatalogKeeper;
  demand: Demand;
  limits: UseLimits;
  /** Call it after a user's tables, selection or scans changed, so that their values are served. */
  userChanged(userId: number): void;
};

/** Called after a saved scan was changed, renamed or deleted. */
type ScanListener = (userId: number, id: number) => void;

const missing = (): AppError => new AppError(404, 'That scan no longer exists. Reload the list.');

// Stored conditions were checked when they were saved.
const viewOf = (
  { id, name, logic, lists, createdAt, updatedAt }: ScanRow,
  named: readonly NamedList[],
): ListedScan => ({
  id,
  name,
  logic: logic as Logic,
  lists: withListName(readScanLists(lists), named),
  createdAt,
  updatedAt,
});

/**
 * The row to store.
 * @param id null for a new scan
 * @param refuseTooMany refuses conditions with too many values
 * @throws AppError 400 with the field
 */
function toStored(
  { app, store, catalog }: IndicatorTools,
  userId: number,
  sent: SentScan,
  id: number | null,
  refuseTooMany: (field: string, logic: Logic) => void,
) {
  const name = accepted(checkScanName(sent.name));
  const logic = accepted(within('logic', checkLogic(catalog.current(), sent.logic)));
  const lists =
    sent.lists === undefined
      ? id === null
        ? null
        : (store.scan(userId, id)?.lists ?? null)
      : accepted(within('lists', checkScanLists(sent.lists, store.listsOf(userId))));
  const key = nameKey(name);
  const other = store.scanNamed(userId, key);
  if (other && other.id !== id) {
    const message = `You already have a scan named "${name}". Choose another name.`;
    throw new AppError(400, { field: 'name', message });
  }
  refuseTooMany('logic', logic);
  return { name, nameKey: key, logic, lists, updatedAt: app.clock.now() };
}

/** Adds a scan to the database only; it may run in the caller's transaction. @throws AppError 400 with the field */
export function putScan(
  tools: IndicatorTools,
  userId: number,
  sent: SentScan,
  refuseTooMany: (field: string, logic: Logic) => void,
): ScanRow {
  const stored = toStored(tools, userId, sent, null, refuseTooMany);
  if (tools.store.scanCount(userId) >= MAX_SCANS) {
    throw new AppError(400, `You already have ${MAX_SCANS} scans. Delete one before you save another.`);
  }
  return tools.store.addScan({
    userId,
    createdAt: stored.updatedAt,
    ...stored,
  });
}

function scanChanges(tools: IndicatorTools, changed: ScanListener) {
  const { store, limits, userChanged } = tools;
  const refuseTooMany = (userId: number, id: number | null) => (field: string, logic: Logic) =>
    limits.refuseTooMany(userId, field, ({ scans }) => ({
      scans: [...scans.filter((scan) => scan.id !== id), { logic }],
    }));
  return {
    /** @throws AppError 400 with the field, 429 */
    addScan(userId: number, sent: SentScan): ListedScan {
      limits.countWrite(userId);
      const row = putScan(tools, userId, sent, refuseTooMany(userId, null));
      userChanged(userId);
      return viewOf(row, store.listsOf(userId));
    },

    /** @throws AppError 400 with the field, 404, 429 */
    changeScan(userId: number, id: number, sent: SentScan): ListedScan {
      limits.countWrite(userId);
      const stored = toStored(tools, userId, sent, id, refuseTooMany(userId, id));
      const row = store.changeScan(userId, id, stored);
      if (!row) throw missing();
      changed(userId, id);
      return viewOf(row, store.listsOf(userId));
    },

    /** @throws AppError 404, 429 */
    removeScan(userId: number, id: number): void {
      limits.countWrite(userId);
      if (!store.removeScan(userId, id)) throw missing();
      changed(userId, id);
    },
  };
}

function createScanViews({ store, catalog }: IndicatorTools) {
  const viewWith = (row: ScanRow, named: readonly NamedList[]): ScanView => {
    const checked = checkLogic(catalog.current(), row.logic);
    const view = viewOf(row, named);
    return {
      ...view,
      problem: checked.ok ? listProblem(view.lists, named) : checked.error.message,
    };
  };
  /** The user's lists, read only if a scan has lists. */
  const namedFor = (userId: number, rows: readonly ScanRow[]): readonly NamedList[] =>
    rows.some(({ lists }) => lists !== null) ? store.listsOf(userId) : [];
  return {
    namedFor,

    scansOf:
      (userId: number): ScanOf =>
      (id) => {
        const row = store.scan(userId, id);
        return row ? viewWith(row, namedFor(userId, [row])) : null;
      },

    /** A user's scans. A scan that refers to something deleted stays, and `problem` describes it. */
    scans(userId: number): ScanView[] {
      const rows = store.scans(userId);
      const named = namedFor(userId, rows);
      return rows.map((row) => viewWith(row, named));
    },
  };
}

export function createScans(tools: IndicatorTools) {
  const { store, userChanged } = tools;
  const listeners: ScanListener[] = [];
  const { namedFor, ...views } = createScanViews(tools);
  function changed(userId: number, id: number): void {
    userChanged(userId);
    for (const listener of listeners) listener(userId, id);
  }
  return {
    listenToScans: (listener: ScanListener): void => void listeners.push(listener),
    ...views,
    ...scanChanges(tools, changed),

    /** Updates scans with lists; call it after lists were added, renamed or deleted. */
    listsChanged(userId: number): void {
      const rows = store.scans(userId);
      const named = namedFor(userId, rows);
      for (const { id, lists } of rows) {
        const before = readScanLists(lists);
        if (before === null || before.id === null) continue;
        const after = withListName(before, named);
        // The name is stored, so that a deleted list keeps its last name.
        if (after?.name !== before.name) store.changeScan(userId, id, { lists: after });
        if (after?.name !== before.name || listProblem(before, named) !== null) changed(userId, id);
      }
    },
  };
}

import { checkLogic, type Logic } from '../../domain/conditions/condition.ts';
import { checkRef, type Ref } from '../../domain/conditions/operand.ts';
import { AppError } from '../../http/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Demand } from '../../market/indicators/demand.ts';
import type { CatalogKeeper } from './catalog.ts';
import type { IndicatorStore, ScanRow } from './store.ts';
import { demandOf } from './demandOf.ts';

export const MAX_REFS = 60;
export const MAX_SCANS = 50;
export const MAX_NAME_LENGTH = 60;

/** A saved scan as its owner sees it. Times are epoch ms. */
export type Scan = { id: number; name: string; logic: Logic; createdAt: number; updatedAt: number };
/** A saved scan that reads something which no longer exists; it is kept, and `problem` says what is missing. */
export type ScanView = Scan & { problem: string | null };

export type Indicators = {
  catalog: CatalogKeeper;
  demand: Demand;
  refs(userId: number): Ref[];
  /** @throws AppError 400 naming what is unknown */
  saveRefs(userId: number, refs: readonly unknown[]): Ref[];
  scans(userId: number): ScanView[];
  addScan(userId: number, given: { name: string; logic: unknown }): Scan;
  changeScan(userId: number, id: number, given: { name: string; logic: unknown }): Scan;
  removeScan(userId: number, id: number): void;
  /** To be called after a user's tables, indicators or scans changed: what they read is served from then on. */
  userChanged(userId: number): void;
  /** Reads what every user needs; once at the start. */
  loadDemand(): void;
};

export type IndicatorsParts = {
  store: IndicatorStore;
  catalog: CatalogKeeper;
  demand: Demand;
  clock: Clock;
};

const bad = (message: string): AppError => new AppError(400, message);
const missing = (): AppError => new AppError(404, 'That scan does not exist any more. Reload the list.');

const asLogic = (logic: unknown): Logic => logic as Logic;

const viewOf = ({ id, name, logic, createdAt, updatedAt }: ScanRow): Scan => ({
  id,
  name,
  logic: asLogic(logic),
  createdAt,
  updatedAt,
});

/** Indicator preferences and saved scans of users, and what values they need. */
export function createIndicatorsService({ store, catalog, demand, clock }: IndicatorsParts): Indicators {
  const userChanged = (userId: number): void => {
    const columns = store.columnPreferences(userId);
    const saved = { columns, refs: store.refs(userId), scans: store.scans(userId) };
    demand.set(`user:${userId}`, demandOf(saved, catalog.current()));
  };
  const loadDemand = (): void => {
    for (const id of store.userIds()) userChanged(id);
  };
  catalog.listen(loadDemand);

  const checkScan = (userId: number, given: { name: string; logic: unknown }, id: number | null) => {
    const name = given.name.trim();
    if (name === '') throw bad('Give the scan a name.');
    if (name.length > MAX_NAME_LENGTH)
      throw bad(`The name of a scan has at most ${MAX_NAME_LENGTH} characters.`);
    const logic = checkLogic(catalog.current(), given.logic);
    if (!logic.ok) throw bad(logic.error.message);
    const nameKey = name.toLowerCase();
    const taken = store.scanNamed(userId, nameKey);
    if (taken && taken.id !== id) {
      throw bad(`You have a scan named "${name}" already. Choose another name.`);
    }
    return { name, nameKey, logic: logic.value, updatedAt: clock.now() };
  };

  return {
    catalog,
    demand,
    userChanged,
    loadDemand,
    refs(userId) {
      const saved = store.refs(userId);
      if (!Array.isArray(saved)) return [];
      return (saved as unknown[]).flatMap((ref) => {
        const checked = checkRef(catalog.current(), ref);
        return checked.ok ? [checked.value] : [];
      });
    },
    saveRefs(userId, given) {
      if (given.length > MAX_REFS) throw bad(`At most ${MAX_REFS} indicators can be chosen.`);
      const refs = given.map((ref) => {
        const checked = checkRef(catalog.current(), ref);
        if (!checked.ok) throw bad(checked.error.message);
        return checked.value;
      });
      store.saveRefs(userId, refs);
      userChanged(userId);
      return refs;
    },
    scans: (userId) =>
      store.scans(userId).map((row) => {
        const checked = checkLogic(catalog.current(), row.logic);
        return { ...viewOf(row), problem: checked.ok ? null : checked.error.message };
      }),
    addScan(userId, given) {
      const checked = checkScan(userId, given, null);
      if (store.scanCount(userId) >= MAX_SCANS) {
        throw bad(`You have ${MAX_SCANS} scans already. Delete one before you save another.`);
      }
      const row = store.addScan({ userId, createdAt: checked.updatedAt, ...checked });
      userChanged(userId);
      return viewOf(row);
    },
    changeScan(userId, id, given) {
      const row = store.changeScan(userId, id, checkScan(userId, given, id));
      if (!row) throw missing();
      userChanged(userId);
      return viewOf(row);
    },
    removeScan(userId, id) {
      if (!store.removeScan(userId, id)) throw missing();
      userChanged(userId);
    },
  };
}

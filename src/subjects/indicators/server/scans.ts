import { checkLogic } from '../../conditions/rules/checkLogic.ts';
import type { Logic } from '../../conditions/rules/condition.ts';
import type { ListedScan, ScanOf, ScanView } from '../../conditions/rules/savedScan.ts';
import { within } from '../../../lib/fieldPath.ts';
import { checkScanName } from '../../scanners/rules/scanName.ts';
import { accepted, AppError } from '../../../platform/http/errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { CatalogKeeper } from './catalog.ts';
import type { UseLimits } from './limits.ts';
import type { IndicatorStore, ScanRow } from './store.ts';

const MAX_SCANS = 50;

/** A scan as it was sent. */
export type SentScan = { name: string; logic?: unknown };

export type ScansDeps = {
  store: Pick<
    IndicatorStore,
    'scan' | 'scans' | 'scanCount' | 'scanNamed' | 'addScan' | 'changeScan' | 'removeScan'
  >;
  catalog: Pick<CatalogKeeper, 'current'>;
  clock: Clock;
  limits: UseLimits;
  userChanged(userId: number): void;
};

/** Hears of a saved scan that was changed, renamed or deleted; called after the commit. */
type ScanListener = (userId: number, id: number) => void;

const missing = (): AppError => new AppError(404, 'That scan does not exist any more. Reload the list.');

// What is stored was checked before it was.
const viewOf = ({ id, name, logic, createdAt, updatedAt }: ScanRow): ListedScan => ({
  id,
  name,
  logic: logic as Logic,
  createdAt,
  updatedAt,
});

/**
 * A sent scan as it is stored.
 *
 * @param id of the scan that is changed; null for a new one
 * @throws AppError 400 naming what is at fault
 */
function toStored(
  { store, catalog, clock, limits }: ScansDeps,
  userId: number,
  sent: SentScan,
  id: number | null,
) {
  const name = accepted(checkScanName(sent.name));
  const logic = accepted(within('logic', checkLogic(catalog.current(), sent.logic)));
  const nameKey = name.toLowerCase();
  const other = store.scanNamed(userId, nameKey);
  if (other && other.id !== id) {
    const message = `You already have a scan named "${name}". Choose another name.`;
    throw new AppError(400, { field: 'name', message });
  }
  limits.refuseTooMany(userId, 'logic', ({ scans }) => ({
    scans: [...scans.filter((scan) => scan.id !== id), { logic }],
  }));
  return { name, nameKey, logic, updatedAt: clock.now() };
}

/** @param changed called after the commit of a change of an older scan */
function scanChanges(deps: ScansDeps, changed: ScanListener) {
  const { store, limits, userChanged } = deps;
  return {
    /** @throws AppError 400 naming what is at fault, 429 */
    addScan(userId: number, sent: SentScan): ListedScan {
      limits.countWrite(userId);
      const stored = toStored(deps, userId, sent, null);
      if (store.scanCount(userId) >= MAX_SCANS) {
        throw new AppError(400, `You already have ${MAX_SCANS} scans. Delete one before you save another.`);
      }
      const row = store.addScan({ userId, createdAt: stored.updatedAt, ...stored });
      userChanged(userId);
      return viewOf(row);
    },

    /** @throws AppError 400 naming what is at fault, 404 when there is no such scan of the user's, 429 */
    changeScan(userId: number, id: number, sent: SentScan): ListedScan {
      limits.countWrite(userId);
      const row = store.changeScan(userId, id, toStored(deps, userId, sent, id));
      if (!row) throw missing();
      changed(userId, id);
      return viewOf(row);
    },

    /** @throws AppError 404 when there is no such scan of the user's, 429 */
    removeScan(userId: number, id: number): void {
      limits.countWrite(userId);
      if (!store.removeScan(userId, id)) throw missing();
      changed(userId, id);
    },
  };
}

/** Scans that users built from conditions and named. */
export function createScans(deps: ScansDeps) {
  const { store, catalog, userChanged } = deps;
  const listeners: ScanListener[] = [];
  const scanView = (row: ScanRow): ScanView => {
    const checked = checkLogic(catalog.current(), row.logic);
    return { ...viewOf(row), problem: checked.ok ? null : checked.error.message };
  };
  function changed(userId: number, id: number): void {
    userChanged(userId);
    for (const listener of listeners) listener(userId, id);
  }
  return {
    listenToScans: (listener: ScanListener): void => void listeners.push(listener),

    /** Gives the saved scans of a user. */
    scansOf:
      (userId: number): ScanOf =>
      (id) => {
        const row = store.scan(userId, id);
        return row ? scanView(row) : null;
      },

    /** One that reads something which no longer exists is kept, and its `problem` says what is missing. */
    scans: (userId: number): ScanView[] => store.scans(userId).map(scanView),

    ...scanChanges(deps, changed),
  };
}
